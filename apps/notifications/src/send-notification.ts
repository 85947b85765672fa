import { inSpan } from '@xs2a/calls/in-span';
import type { Outcome, SpanDescription } from '@xs2a/observability/tracing/spans';
import { clockHeader } from '@xs2a/contracts/clock.contract';
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

/** A POST to a TPP's notification URI. */
export interface NotificationPost {
  readonly uri: string;
  readonly body: string;
  readonly requestId: string;
  /** Detached JWS of the body. */
  readonly signature: string;
  /** The sandbox's time at which the body was signed, as an ISO instant; absent outside the sandbox. */
  readonly sandboxClock?: string;
}

/** The result of one attempt. */
export interface Sent {
  readonly accepted: boolean;
  /** `HTTP 204`, or why there was no status. It never includes anything else that the receiver sent. */
  readonly answer: string;
}

/** The receiver's address is not in the span, because its path and query are the TPP's text. */
const pushSpan = ({ requestId }: NotificationPost): SpanDescription => ({
  name: 'POST notification',
  kind: 'CLIENT',
  attributes: { 'http.request.method': 'POST', 'xs2a.request_id': requestId },
});

const pushOutcome = (status: number): Outcome => ({
  attributes: { 'http.response.status_code': status },
  error: isAccepted(status) ? undefined : String(status),
});

const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** A receiver that has not responded within this time has failed (contract 11). */
export const answerWithinMs = 5000;
/** Max bytes read of a response's body and headers; only its status matters. */
const maxAnswerBytes = 16_384;

export interface SenderOptions {
  readonly rules: ReceiverRules;
  readonly resolve?: Resolve;
  readonly answerWithinMs?: number;
}

/** Sends notifications over HTTP. It follows no redirects, stores no responses, and limits the time of each attempt. */
export class NotificationSender {
  private readonly agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor(private readonly options: SenderOptions) {
    const { anywhere } = options.rules;
    const { resolve = anywhere ? resolveLocally : resolvePublicly } = options;
    // Each attempt has its own connection, so that the address is checked every time and no receiver can
    // close a reused connection just as the next attempt starts.
    const settings = {
      keepAlive: false,
      lookup: checkedLookup(resolve, anywhere ? () => undefined : refusePrivate),
    };
    this.agents = { 'http:': new HttpAgent(settings), 'https:': new HttpsAgent(settings) };
  }

  /** Sends once. The notification is accepted if the receiver responds with 2xx in time. */
  async send(post: NotificationPost): Promise<Sent> {
    try {
      const status = await inSpan(pushSpan(post), async () => this.post(post), pushOutcome);
      return { accepted: isAccepted(status), answer: `HTTP ${status}` };
    } catch (error) {
      const answer =
        error instanceof UnreachableReceiver || error instanceof NoAnswer
          ? error.message
          : `no connection (${readErrorCode(error)})`;
      return { accepted: false, answer };
    }
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  /** Returns the status of the response. Always settles, at the latest when the timer expires. */
  private async post({ uri, body, requestId, signature, sandboxClock }: NotificationPost): Promise<number> {
    const url = new URL(uri);
    // This also checks literal addresses, for which no look-up takes place.
    const problem = receiverProblem(url, this.options.rules);
    if (problem !== undefined) throw new UnreachableReceiver(problem);
    const payload = Buffer.from(body);
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const request = send(url, {
        method: 'POST',
        agent: this.agents[url.protocol as 'http:' | 'https:'],
        maxHeaderSize: maxAnswerBytes,
        headers: {
          'content-type': 'application/json',
          'content-length': payload.length,
          accept: 'application/json',
          'x-request-id': requestId,
          'x-jws-signature': signature,
          ...(sandboxClock === undefined ? {} : { [clockHeader]: sandboxClock }),
        },
      });
      const timer = setTimeout(() => {
        reject(new NoAnswer('no answer in time'));
        request.destroy();
      }, this.options.answerWithinMs ?? answerWithinMs);
      request.on('error', reject);
      request.on('close', () => {
        clearTimeout(timer);
        reject(new NoAnswer('closed without an answer'));
      });
      // 101 Switching Protocols: in this case Node.js reports no response and leaves the connection to the
      // listener.
      request.on('upgrade', (response, socket) => {
        resolve(response.statusCode ?? 0);
        socket.destroy();
      });
      request.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        discardBody(response);
      });
      request.end(payload);
    });
  }
}

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
