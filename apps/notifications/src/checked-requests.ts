import { receiverProblem, type ReceiverRules } from '@xs2a/runtime/receivers/notification-receivers';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import {
  checkedLookup,
  refusePrivate,
  type Resolve,
  resolveLocally,
  resolvePublicly,
  UnreachableReceiver,
} from './receiver-address.js';

/** Max bytes read of a response's body and headers; the body is not used. */
const maxAnswerBytes = 16_384;

export interface CheckedRequestsOptions {
  readonly rules: ReceiverRules;
  readonly resolve?: Resolve;
}

interface OneRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answerWithinMs: number;
}

export interface CheckedAnswer {
  readonly status: number;
  readonly location?: string | undefined;
}

/** Sends requests to addresses that TPPs chose, by the rules of contract 11. It follows no redirects. */
export class CheckedRequests {
  private readonly agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor(private readonly options: CheckedRequestsOptions) {
    const { anywhere } = options.rules;
    const { resolve = anywhere ? resolveLocally : resolvePublicly } = options;
    // Each request has its own connection, so that the address is checked every time and no receiver can
    // close a reused connection just as the next request starts.
    const settings = {
      keepAlive: false,
      lookup: checkedLookup(resolve, anywhere ? () => undefined : refusePrivate),
    };
    this.agents = { 'http:': new HttpAgent(settings), 'https:': new HttpsAgent(settings) };
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  /**
   * Always settles, at the latest when the timer expires. Of what it throws, {@link requestFailure} makes a text.
   */
  async request(uri: string, { method, headers, body, answerWithinMs }: OneRequest): Promise<CheckedAnswer> {
    const url = new URL(uri);
    // This also checks literal addresses, for which no look-up takes place.
    const problem = receiverProblem(url, this.options.rules);
    if (problem !== undefined) throw new UnreachableReceiver(problem);
    const payload = body === undefined ? undefined : Buffer.from(body);
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const request = send(url, {
        method,
        agent: this.agents[url.protocol as 'http:' | 'https:'],
        maxHeaderSize: maxAnswerBytes,
        headers: {
          ...headers,
          ...(payload === undefined ? {} : { 'content-length': payload.length }),
        },
      });
      const timer = setTimeout(() => {
        reject(new NoAnswer('no answer in time'));
        request.destroy();
      }, answerWithinMs);
      request.on('error', reject);
      request.on('close', () => {
        clearTimeout(timer);
        reject(new NoAnswer('closed without an answer'));
      });
      // 101 Switching Protocols: in this case Node.js reports no response and leaves the connection to the
      // listener.
      request.on('upgrade', (response, socket) => {
        resolve({ status: response.statusCode ?? 0 });
        socket.destroy();
      });
      request.on('response', (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        // Node.js accepts any three digits; RFC 9110 §15 has no status below 100.
        if (status < 100) reject(new NoAnswer('the answer has no valid status'));
        else resolve({ status, location: answered.location });
        discardBody(response);
      });
      request.end(payload);
    });
  }
}

/** Returns why there was no answer. It never includes anything that the receiver sent. */
export const requestFailure = (error: unknown): string =>
  error instanceof UnreachableReceiver || error instanceof NoAnswer
    ? error.message
    : `no connection (${readErrorCode(error)})`;

/** Thrown when the receiver was reached, or may have been, but did not respond. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Returns the error's code, such as ECONNREFUSED; its message would contain the host name. */
const readErrorCode = (error: unknown): string => {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' ? code : 'unknown';
};

/** Closes the connection of a receiver that sends more than is read. */
const discardBody = (response: IncomingMessage): void => {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) response.destroy();
  });
};
