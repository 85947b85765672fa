import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ClientTls } from './load-plan.js';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * A keep-alive connection that sends prepared requests one at a time. It does little work, because the load
 * generator runs on the measured machine and must not distort the measurement. Responses must have a
 * Content-Length.
 */
export class HttpConnection {
  private buffer = '';
  private waiting:
    | { readonly resolve: (answer: HttpAnswer) => void; readonly reject: (error: Error) => void }
    | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.receive(text));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the connection was closed')));
  }

  /** Opens a connection. If `tls` is given, it uses TLS with the client's certificate. */
  static async open(port: number, tls?: ClientTls): Promise<HttpConnection> {
    const host = '127.0.0.1';
    const socket = tls === undefined ? connect(port, host) : connectTls({ host, port, ...tls });
    await new Promise((resolve, reject) => {
      socket.once(tls === undefined ? 'connect' : 'secureConnect', resolve);
      socket.once('error', reject);
    });
    return new HttpConnection(socket);
  }

  /** Sends a complete request, head and body, as UTF-8. */
  send(request: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(text: string): void {
    this.buffer = this.buffer === '' ? text : this.buffer + text;
    const answer = answerIn(this.buffer);
    if (answer === undefined) return;
    this.buffer = '';
    const { waiting } = this;
    this.waiting = undefined;
    if (answer instanceof Error) waiting?.reject(answer);
    else waiting?.resolve(answer);
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = undefined;
  }
}

/** Returns the response contained in the received bytes, or undefined while it is incomplete. */
export const answerIn = (text: string): HttpAnswer | Error | undefined => {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const status = Number(text.slice(9, 12));
  const length =
    /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end + 2))?.[1] ?? (status === 204 ? '0' : undefined);
  if (length === undefined) return new Error(`received a ${status} response without Content-Length`);
  const bodyEnd = end + 4 + Number(length);
  return text.length < bodyEnd ? undefined : { status, body: text.slice(end + 4, bodyEnd) };
};
