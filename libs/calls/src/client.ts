import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { type Call, isIdempotent } from '@xs2a/contracts/call';
import { calleeOf } from '@xs2a/contracts/services';
import { CallFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { type Failure, failures } from '@xs2a/domain/failure/failures';
import { newInbox } from '@xs2a/nats/connection';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionLost, ConnectionWatch, reconnectWindowMs } from './connection-watch.js';
import { callContext, type Envelope, type TravellingClock } from './context.js';
import { deadlineAfter, timeoutBefore } from './deadline.js';
import { CallTooLarge, isTooLarge } from './message-size.js';
import { idleTimeoutMs, whileHeartbeatsCome } from './heartbeat.js';
import { callSpan, inSpan } from './in-span.js';
import { envelopeBytes } from './json-bytes.js';
import { whileNatsAnswers } from './nats-ping.js';
import { readReply } from './reply-bytes.js';
import { type Send, withSecondTry } from './second-try.js';
import { UnansweredCalls } from './unanswered-calls.js';

/** Milliseconds until a call is sent again if no service was listening, within the reconnect window. */
const resendMs = 20;

/** True if no service listens on the subject. In that case the call was not received and may be sent again. */
const isNoResponders = (error: unknown): boolean =>
  error instanceof errors.RequestError && error.isNoResponders();

/**
 * Calls other services with NATS request/reply, a deadline, the caller's context and typed failures. A long call
 * continues while heartbeats arrive (heartbeat.ts). An idempotent call that no instance is working on is sent to
 * another instance (second-try.ts). If no service listens on the subject, the call is repeated until the reconnect
 * window ends (connection-watch.ts).
 */
export class CallClient {
  readonly unanswered = new UnansweredCalls();
  private readonly connection: ConnectionWatch;
  /** Makes call ids unique across all clients in all processes. */
  private readonly idPrefix = `${randomUUID()}.`;
  private ids = 0;

  constructor(
    private readonly nats: NatsConnection,
    private readonly clock: TravellingClock,
  ) {
    this.connection = new ConnectionWatch(nats);
  }

  /**
   * Throws {@link CallFailed} with the service's refusal, or with dependencyDown if no reply arrives in time. The
   * failure names the part that did not answer, which may be one that the service itself needs.
   * Throws {@link CallTooLarge} before sending a request that NATS would refuse.
   */
  async call<Request, Answer>(call: Call<Request, Answer>, request: Request): Promise<Answer> {
    return inSpan(callSpan('CLIENT', call.subject), async () => this.send(call, request));
  }

  private async send<Request, Answer>(call: Call<Request, Answer>, request: Request): Promise<Answer> {
    const { subject } = call;
    const context = callContext.getStore();
    const timeoutMs = timeoutBefore(context?.deadline, call.timeoutMs);
    const id = isIdempotent(call, request) ? this.newId() : undefined;
    const isLong = call.timeoutMs > idleTimeoutMs;
    const offset = this.clock.offsetMs;
    const envelope: Envelope<Request> = {
      context,
      clock: offset === 0 ? undefined : offset,
      heartbeat: isLong || undefined,
      id,
      deadline: deadlineAfter(timeoutMs),
      request,
    };
    const payload = envelopeBytes(envelope);
    const { nats } = this;
    if (isTooLarge(nats, payload)) throw new CallTooLarge(subject);
    const ask = async (): Promise<Msg> => {
      const inbox = isLong ? newInbox(nats) : undefined;
      const send = this.sender(payload, timeoutMs, inbox);
      const answer = async (): Promise<Msg> =>
        id === undefined ? send(subject) : withSecondTry({ nats, id, subject, timeoutMs }, send);
      return inbox === undefined ? answer() : whileHeartbeatsCome(nats, inbox, answer);
    };
    const callee = calleeOf(subject);
    const reply = await this.exchange(callee, ask, readReply<Answer>);
    if ('failures' in reply)
      throw new CallFailed(reply.failures.map((failure) => withDependency(failure, callee)));
    return reply.ok;
  }

  /** Sends and returns raw bytes, for a service that does not use our envelope. Throws like {@link call}. */
  async ask(subject: string, payload: string | Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    if (isTooLarge(this.nats, payload)) throw new CallTooLarge(subject);
    const ask = async (): Promise<Msg> =>
      whileNatsAnswers(this.nats, timeoutMs, this.sender(payload, timeoutMs)(subject));
    return this.exchange(calleeOf(subject), ask, (data) => data);
  }

  /**
   * Calls `receive` with each JSON message published on the subject, until the returned function is called. `failed`
   * receives the error of a subscription that NATS refuses.
   */
  listen(subject: string, receive: (message: unknown) => void, failed: (error: Error) => void): () => void {
    const callback = (error: Error | null, message: Msg): void => {
      if (error === null) receive(message.json());
      else failed(error);
    };
    const subscription = this.nats.subscribe(subject, { callback });
    return () => subscription.unsubscribe();
  }

  private newId(): string {
    this.ids += 1;
    return this.idPrefix + this.ids.toString(36);
  }

  /**
   * Sends the payload and waits for its reply until `timeoutMs` from now, across any number of attempts. If there
   * is an `inbox`, the reply subject is below it so that heartbeats can be received; otherwise the NATS client
   * chooses the reply subject.
   */
  private sender(payload: string | Uint8Array, timeoutMs: number, inbox?: string): Send {
    const until = performance.now() + timeoutMs;
    let sent = 0;
    return async (subject) => {
      // Rounded up, because timers drop fractions and a call must not end before its deadline.
      const timeout = Math.max(1, Math.ceil(until - performance.now()));
      if (inbox === undefined) return this.nats.request(subject, payload, { timeout });
      sent += 1;
      return this.nats.request(subject, payload, { timeout, noMux: true, reply: `${inbox}.${sent}` });
    };
  }

  /** Repeats a call for which no service is listening, until the reconnect window ends. */
  private async exchange<Answer>(
    callee: string,
    ask: () => Promise<Msg>,
    read: (data: Uint8Array) => Answer,
  ): Promise<Answer> {
    for (let giveUpAt: number | undefined; ;) {
      try {
        await this.connection.isThere();
        const { data } = await this.connection.unlessLost(ask());
        const answer = read(data);
        this.unanswered.replied(callee);
        return answer;
      } catch (error) {
        giveUpAt ??= performance.now() + reconnectWindowMs;
        if (isNoResponders(error) && performance.now() <= giveUpAt) {
          await pause(resendMs);
          continue;
        }
        // A timeout and an unreadable reply look the same to the caller.
        const dependency = error instanceof ConnectionLost ? 'nats' : callee;
        this.unanswered.count(dependency);
        throw dependencyDown(dependency);
      }
    }
  }
}

/**
 * Names the callee if it reported that it cannot answer without saying which part is down, or if its release is newer and
 * reports a failure that this one does not know (ADR 41).
 */
const withDependency = (failure: Failure, callee: string): Failure => {
  if (!Object.hasOwn(failures, failure.failure))
    return { failure: 'dependencyDown', retryAfter: 1, dependency: callee };
  return failure.failure === 'dependencyDown'
    ? { ...failure, dependency: failure.dependency ?? callee }
    : failure;
};
