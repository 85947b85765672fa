import { inSpan } from '@xs2a/calls/in-span';
import type { Outcome, SpanDescription } from '@xs2a/observability/tracing/spans';
import { clockHeader } from '@xs2a/contracts/clock.contract';
import { CheckedRequests, type CheckedRequestsOptions, requestFailure } from './checked-requests.js';

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

export interface SenderOptions extends CheckedRequestsOptions {
  readonly answerWithinMs?: number;
}

/** Sends notifications over HTTP. It follows no redirects, stores no responses, and limits the time of each attempt. */
export class NotificationSender {
  private readonly requests: CheckedRequests;

  constructor(private readonly options: SenderOptions) {
    this.requests = new CheckedRequests(options);
  }

  /** Sends once. The notification is accepted if the receiver responds with 2xx in time. */
  async send(post: NotificationPost): Promise<Sent> {
    try {
      const status = await inSpan(pushSpan(post), async () => this.post(post), pushOutcome);
      return { accepted: isAccepted(status), answer: `HTTP ${status}` };
    } catch (error) {
      return { accepted: false, answer: requestFailure(error) };
    }
  }

  close(): void {
    this.requests.close();
  }

  /** Returns the status of the response. */
  private async post({ uri, body, requestId, signature, sandboxClock }: NotificationPost): Promise<number> {
    const { status } = await this.requests.request(uri, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'x-request-id': requestId,
        'x-jws-signature': signature,
        ...(sandboxClock === undefined ? {} : { [clockHeader]: sandboxClock }),
      },
      answerWithinMs: this.options.answerWithinMs ?? answerWithinMs,
    });
    return status;
  }
}
