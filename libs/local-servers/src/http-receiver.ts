import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A POST request as the TPP received it. */
export interface ReceivedPost {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** How a receiver reacts: with a status, with no response, or by closing the connection. */
export type Behaviour = (post: ReceivedPost, count: number) => number | 'hang' | 'close';

/** A TPP's HTTP server. Keeps the requests in order of arrival. */
export class HttpReceiver {
  readonly posts: ReceivedPost[] = [];
  behaviour: Behaviour = () => 204;
  /** Headers added to every response. */
  answerHeaders: Readonly<Record<string, string>> = {};
  answerBody = '';
  /** The highest number of concurrent requests so far. */
  maxOpen = 0;
  /** The number of accepted connections, including those that sent no request. */
  connections = 0;
  private open = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly server = createServer((request, response) => void this.take(request, response));

  /** Listens on a port of 127.0.0.1; 0 selects a free port. */
  static async start(port = 0): Promise<HttpReceiver> {
    const receiver = new HttpReceiver();
    receiver.server.on('connection', () => {
      receiver.connections += 1;
    });
    receiver.server.listen(port, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves once this many requests have arrived in total. */
  async received(count: number): Promise<readonly ReceivedPost[]> {
    while (this.posts.length < count)
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    return this.posts;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const post = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    this.posts.push(post);
    this.open += 1;
    this.maxOpen = Math.max(this.maxOpen, this.open);
    response.on('close', () => {
      this.open -= 1;
    });
    const answer = this.behaviour(post, this.posts.length);
    if (answer === 'close') request.socket.destroy();
    else if (answer !== 'hang') response.writeHead(answer, this.answerHeaders).end(this.answerBody);
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
