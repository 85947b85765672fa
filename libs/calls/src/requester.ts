import type { NatsConnection } from '@nats-io/transport-node';
import { type Call, isIdempotent } from '@xs2a/contracts/call';
import { setTimeout as wait } from 'node:timers/promises';
import { atMost } from '@xs2a/nats/at-most';
import { callContext, type Envelope, type TravellingClock } from './context.js';
import { CallFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { deadlineAfter } from './deadline.js';
import { readReply } from './reply-bytes.js';
import { NobodyListens, ReplyInbox } from './reply-inbox.js';

/** Milliseconds without an answer or a heartbeat after which a call that may take long is given up. */
const idleTimeoutMs = 1800;

/**
 * A service that answers {@link Requester.ask} sends no heartbeats. After `pingAfterMs` without an answer NATS is asked
 * whether it is there, and has `pongMs` to answer.
 */
const pingAfterMs = 1300;
const pongMs = 500;

/**
 * Milliseconds within which this process and the called service are connected to another server when a NATS server of the
 * cluster has died. Until then a call that nobody heard waits instead of failing.
 */
const reconnectWindowMs = 250;
const askAgainMs = 20;

/** Calls other services: request/reply with a deadline, the caller's context, and typed failures. */
export class Requester {
  /** While the connection is lost: resolves when it is back. */
  private reconnected: PromiseWithResolvers<void> | undefined;
  private readonly inbox: ReplyInbox;

  constructor(
    private readonly nats: NatsConnection,
    private readonly clock: TravellingClock,
  ) {
    this.inbox = new ReplyInbox(nats);
    void this.watch();
  }

  /** Throws {@link CallFailed}: what the service refused, or dependencyDown when nobody answers in time. */
  async call<Request, Answer>(call: Call<Request, Answer>, request: Request): Promise<Answer> {
    const { subject, timeoutMs } = call;
    const offset = this.clock.offsetMs;
    const isLong = timeoutMs > idleTimeoutMs;
    const envelope: Envelope<Request> = {
      context: callContext.getStore(),
      ...(offset === 0 ? {} : { clock: offset }),
      ...(isLong ? { signs: true } : {}),
      deadline: deadlineAfter(timeoutMs),
      request,
    };
    const payload = Buffer.from(JSON.stringify(envelope));
    const timeouts = {
      timeoutMs,
      ...(isLong ? { idleTimeoutMs } : {}),
      isIdempotent: isIdempotent(call, request),
    };
    const reply = await this.exchange(() => this.inbox.ask(subject, payload, timeouts), readReply<Answer>);
    if ('failures' in reply) throw new CallFailed(reply.failures);
    return reply.ok;
  }

  /** Bytes for bytes, for a partner that does not speak our envelope. Throws dependencyDown when nobody answers in time. */
  async ask(subject: string, payload: string | Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const isLong = timeoutMs > pingAfterMs + pongMs;
    return this.exchange(
      () => {
        const answer = this.inbox.ask(subject, payload, { timeoutMs });
        return isLong ? this.unlessSilent(answer) : answer;
      },
      (data) => data,
    );
  }

  private async exchange<Answer>(
    ask: () => Promise<Uint8Array>,
    read: (data: Uint8Array) => Answer,
  ): Promise<Answer> {
    for (let giveUpAt: number | undefined; ;) {
      try {
        if (this.reconnected !== undefined) await atMost(reconnectWindowMs, this.reconnected.promise);
        if (this.reconnected !== undefined) throw new Error('NATS is away');
        return read(await ask());
      } catch (error) {
        giveUpAt ??= performance.now() + reconnectWindowMs;
        // A timeout or a lost connection: the caller sees one thing, nobody answered.
        if (!(error instanceof NobodyListens) || performance.now() > giveUpAt) throw dependencyDown();
        await wait(askAgainMs);
      }
    }
  }

  /** An answer may take long; a NATS that stands still is noticed before two seconds have passed. */
  private async unlessSilent<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const silent = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        timer = setTimeout(() => reject(new Error('NATS does not answer')), pongMs);
        const stop = (): void => clearTimeout(timer);
        void this.nats.flush().then(stop, reject);
      }, pingAfterMs);
    });
    try {
      return await Promise.race([answer, silent]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async watch(): Promise<void> {
    for await (const status of this.nats.status()) {
      if (status.type === 'disconnect') {
        this.reconnected ??= Promise.withResolvers();
        // The answer to what was sent over a connection that was lost does not come any more.
        this.inbox.failAll(new Error('the connection to NATS was lost'));
      }
      if (status.type === 'reconnect') {
        this.reconnected?.resolve();
        this.reconnected = undefined;
      }
    }
  }
}
