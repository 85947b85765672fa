import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { Reply } from '@xs2a/contracts/call';
import type { Logger } from '@xs2a/observability/logger';
import { histogram } from '@xs2a/observability/metrics';
import { randomUUID } from 'node:crypto';
import { isObservable, lastValueFrom } from 'rxjs';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import { callContext, type Envelope, logFields, readEnvelope, type TravellingClock } from './context.js';
import { CallFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { lateBy } from './deadline.js';
import { sendHeartbeats } from './heartbeat.js';
import { callSpan, inSpan } from './in-span.js';
import { type InquiryAnswer, inquirySubject, instanceSubject, parseService } from './instances.js';
import { isTooLarge } from './message-size.js';
import { replyBytes } from './reply-bytes.js';

export interface BoundedNatsServerOptions {
  readonly nats: NatsConnection;
  /** The queue group: each call is handled by one of its instances. */
  readonly service: string;
  readonly clock: TravellingClock;
  readonly logger: Logger;
  /**
   * The maximum number of concurrent calls. Further calls fail immediately with dependencyDown; they are not
   * queued.
   */
  readonly limit?: number;
  /** True outside the sandbox: calls such as `svc.payments.sandbox.settle` are then never received. Default: false. */
  readonly withoutSandboxCalls?: boolean;
  /** True for errors that mean "try again later" instead of an internal error, such as a lost database connection. */
  readonly isUnavailable: (error: unknown) => boolean;
}

interface Answered {
  readonly bytes: string | Uint8Array;
  /** `ok`, or the name of the first failure. */
  readonly outcome: string;
  readonly deadline?: number | undefined;
}

/** A received message that is expected to be a call. */
interface Received {
  readonly subject: string;
  readonly handler: MessageHandler;
  readonly message: Msg;
}

/**
 * A call is not started once this many milliseconds have passed since its deadline: its caller no longer waits,
 * and may have sent it again. The margin allows for clock differences between hosts.
 */
const lateAfterMs = 1000;

/**
 * No reply is sent once this many milliseconds have passed since the call's deadline. NATS permits a reply for 30
 * seconds (`allow_responses`) and then refuses it; a call's deadline is at most ten seconds after it was sent.
 */
export const unansweredAfterMs = 15_000;

const seconds = histogram('xs2a_call_seconds', 'Time to answer a call over NATS', ['subject', 'outcome']);

/**
 * The Nest transport for calls between services. Nest's built-in NATS transport has no queue group by default,
 * does not limit concurrent handlers, reduces each error to one sentence, and waits for a fixed time when it
 * stops. This transport fixes all four.
 */
export class BoundedNatsServer extends Server implements CustomTransportStrategy {
  private readonly subscriptions: Subscription[] = [];
  /** Ids of the idempotent calls in progress. */
  private readonly inProgress = new Set<string>();
  private readonly instance = randomUUID();
  private inFlight = 0;
  private onIdle: (() => void) | undefined;

  constructor(private readonly options: BoundedNatsServerOptions) {
    super();
  }

  /**
   * Resolves once the NATS server has registered the subscriptions, so that calls sent immediately after the start
   * are received.
   */
  async listen(callback: (error?: unknown) => void): Promise<void> {
    const services = new Set<string>();
    for (const [subject, handler] of this.messageHandlers) {
      if (this.options.withoutSandboxCalls === true && subject.split('.')[2] === 'sandbox') continue;
      const receive = (message: Msg): void => void this.receive({ subject, handler, message });
      this.subscribe(subject, receive, this.options.service);
      this.subscribe(instanceSubject(this.instance, subject), receive);
      services.add(parseService(subject));
    }
    for (const service of services)
      this.subscribe(inquirySubject(service), (message) => this.answerInquiry(message));
    try {
      await this.untilRegistered();
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  }

  /**
   * Resolves once the NATS server has registered the subscriptions. A connection that is lost during the wait sends the
   * subscriptions again after it reconnects. Throws if the connection is closed.
   */
  private async untilRegistered(): Promise<void> {
    const { nats } = this.options;
    for (;;) {
      try {
        await nats.flush();
        return;
      } catch (error) {
        if (nats.isClosed()) throw error;
      }
    }
  }

  on(): void {}

  unwrap<Underlying>(): Underlying {
    return this.options.nats as Underlying;
  }

  /** Accepts no new calls, and waits up to ten seconds for the replies to the calls in progress. */
  async close(): Promise<void> {
    await Promise.all(
      this.subscriptions
        .splice(0)
        // A subscription on a closed connection receives no more calls, and cannot be drained.
        .map(async (subscription) => subscription.drain().catch(() => this.options.nats.isClosed())),
    );
    if (this.inFlight === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.onIdle = resolve;
    await waitAtMost(10_000, promise);
  }

  private subscribe(subject: string, receive: (message: Msg) => void, queue?: string): void {
    const callback = (error: Error | null, message: Msg): void => {
      if (error === null) receive(message);
      else this.options.logger.error({ error, subject }, 'subscription failed');
    };
    this.subscriptions.push(this.options.nats.subscribe(subject, { callback, queue }));
  }

  /** Replies to an inquiry. An instance without capacity for the call does not reply. */
  private answerInquiry(message: Msg): void {
    const answer: InquiryAnswer = this.inProgress.has(message.string())
      ? { inProgress: true }
      : { instance: this.instance };
    if ('inProgress' in answer || this.inFlight < this.limit) message.respond(JSON.stringify(answer));
  }

  private get limit(): number {
    return this.options.limit ?? 512;
  }

  /** Never rejects. */
  private async receive(call: Received): Promise<void> {
    const { subject, message } = call;
    if (this.inFlight >= this.limit) {
      message.respond(JSON.stringify({ failures: dependencyDown().failures } satisfies Reply<never>));
      seconds.observe({ subject, outcome: 'shed' }, 0);
      return;
    }
    this.inFlight += 1;
    const end = seconds.startTimer({ subject });
    try {
      const { bytes, outcome, deadline } = this.unlessTooLarge(subject, await this.answer(call));
      if (deadline !== undefined && lateBy(deadline) > unansweredAfterMs)
        this.options.logger.warn(
          { subject, outcome },
          'a call finished after its caller had given up; its answer is discarded',
        );
      else message.respond(bytes);
      end({ outcome });
    } catch (error) {
      this.options.logger.error({ error, subject }, 'sending a reply failed');
    } finally {
      this.inFlight -= 1;
      if (this.inFlight === 0) this.onIdle?.();
    }
  }

  /** Never rejects. */
  private async answer({ subject, handler, message }: Received): Promise<Answered> {
    const envelope = readEnvelope(message.string());
    if (envelope === undefined) return this.refuseMalformed(subject);
    const { context, deadline } = envelope;
    try {
      const lateMs = lateBy(deadline);
      if (lateMs > lateAfterMs)
        return { ...this.refuseLate({ subject, lateMs, ...logFields(context) }), deadline };
      if (envelope.clock !== undefined) this.options.clock.raiseTo(envelope.clock);
      const run = async (): Promise<unknown> => {
        const result: unknown = await handler(envelope.request);
        // Nest passes on a method's return value unchanged, but an error arrives as an observable.
        const answer: unknown = await (isObservable(result) ? lastValueFrom(result) : result);
        this.options.logger.debug({ subject }, 'handled a call');
        return answer;
      };
      const ok = await this.inProgressWhile(message, envelope, async () =>
        inSpan(callSpan('SERVER', subject), run),
      );
      return { bytes: replyBytes({ ok: ok ?? {} }), outcome: 'ok', deadline };
    } catch (error) {
      const failures = this.toFailures(error, { subject, ...(context && logFields(context)) });
      return { bytes: replyBytes({ failures }), outcome: failures[0]?.failure ?? 'failed', deadline };
    }
  }

  /**
   * Runs a call in its caller's context. While the call runs, heartbeats are sent if requested, and inquiries are
   * told that it is in progress.
   */
  private async inProgressWhile(
    { reply = '' }: Msg,
    { context, id, heartbeat, deadline }: Envelope<unknown>,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    if (id !== undefined) this.inProgress.add(id);
    const heartbeats =
      heartbeat === true && reply !== '' ? sendHeartbeats(this.options.nats, reply) : undefined;
    try {
      return await (context === undefined ? work() : callContext.run({ ...context, deadline }, work));
    } finally {
      clearInterval(heartbeats);
      if (id !== undefined) this.inProgress.delete(id);
    }
  }

  /**
   * If NATS would refuse a response, replaces it with a failure, because the caller would repeat the call if it
   * received no reply.
   */
  private unlessTooLarge(subject: string, answered: Answered): Answered {
    const { nats, logger } = this.options;
    if (!isTooLarge(nats, answered.bytes)) return answered;
    logger.error(
      { subject, bytes: Buffer.byteLength(answered.bytes) },
      'an answer is larger than NATS accepts',
    );
    return { ...answered, bytes: replyBytes({ failures: [{ failure: 'internal' }] }), outcome: 'too-large' };
  }

  private refuseMalformed(subject: string): Answered {
    this.options.logger.error({ subject }, 'refused a message that is not a call');
    return { bytes: replyBytes({ failures: [{ failure: 'internal' }] }), outcome: 'malformed' };
  }

  /**
   * Refuses a late call. An instance that was frozen or disconnected receives the calls from that period when it
   * resumes.
   */
  private refuseLate(late: { readonly subject: string; readonly lateMs: number }): Answered {
    this.options.logger.warn(late, 'refused a call that arrived after its deadline');
    return { bytes: replyBytes({ failures: dependencyDown().failures }), outcome: 'late' };
  }

  private toFailures(error: unknown, call: { readonly subject: string }): CallFailed['failures'] {
    if (error instanceof CallFailed) return error.failures;
    if (this.options.isUnavailable(error)) {
      this.options.logger.warn({ error, ...call, dependency: 'postgres' }, 'a dependency is down');
      return dependencyDown('postgres').failures;
    }
    this.options.logger.error({ error, ...call }, 'unexpected error while handling a call');
    return [{ failure: 'internal' }];
  }
}
