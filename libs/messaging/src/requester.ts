import type { NatsConnection } from '@nats-io/transport-node';
import type { Call } from '@xs2a/contracts/call';
import { setTimeout as wait } from 'node:timers/promises';
import { callContext, type Envelope, type TravellingClock } from './call-context.js';
import { CallFailed, dependencyDown } from './call-failed.js';
import { readReply } from './reply-bytes.js';
import { NobodyListens, ReplyInbox } from './reply-inbox.js';

/** A call that may take longer is given up when nothing was heard for so long: whoever works on it says so. */
const silenceMs = 1800;

/**
 * Who answers {@link Requester.ask} says nothing meanwhile: after so long NATS at least is asked whether it is there, and
 * may take so long to say so.
 */
const patienceMs = 1300;
const pongMs = 500;

/**
 * A NATS server of a cluster that dies takes connections with it; ours, and those of whom we call, are at another server
 * within this. Until then a call that nobody heard waits instead of failing.
 */
const reunionMs = 250;
const askAgainMs = 20;

/** Calls other services: request/reply with a deadline, the caller's context, and typed failures. */
export class Requester {
  /** While the connection is lost: resolves when it is back. */
  private reunion: PromiseWithResolvers<void> | undefined;
  private readonly inbox: ReplyInbox;

  constructor(
    private readonly nats: NatsConnection,
    private readonly clock: TravellingClock,
  ) {
    this.inbox = new ReplyInbox(nats);
    void this.watch();
  }

  /** Throws {@link CallFailed}: what the service refused, or dependencyDown when nobody answers in time. */
  async call<Request, Answer>(
    { subject, timeoutMs }: Call<Request, Answer>,
    request: Request,
  ): Promise<Answer> {
    const offset = this.clock.offsetMs;
    const isLong = timeoutMs > silenceMs;
    const envelope: Envelope<Request> = {
      context: callContext.getStore(),
      ...(offset === 0 ? {} : { clock: offset }),
      ...(isLong ? { signs: true } : {}),
      request,
    };
    const payload = Buffer.from(JSON.stringify(envelope));
    const patience = isLong ? { timeoutMs, silenceMs } : { timeoutMs };
    const reply = await this.exchange(() => this.inbox.ask(subject, payload, patience), readReply<Answer>);
    if ('failures' in reply) throw new CallFailed(reply.failures);
    return reply.ok;
  }

  /** Bytes for bytes, for a partner that does not speak our envelope. Throws dependencyDown when nobody answers in time. */
  async ask(subject: string, payload: string | Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const isLong = timeoutMs > patienceMs + pongMs;
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
        if (this.reunion !== undefined) await inTime(this.reunion.promise, reunionMs);
        return read(await ask());
      } catch (error) {
        giveUpAt ??= performance.now() + reunionMs;
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
      }, patienceMs);
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
        this.reunion ??= Promise.withResolvers();
        // The answer to what was sent over a connection that was lost does not come any more.
        this.inbox.failAll(new Error('the connection to NATS was lost'));
      }
      if (status.type === 'reconnect') {
        this.reunion?.resolve();
        this.reunion = undefined;
      }
    }
  }
}

const inTime = async (event: Promise<void>, limitMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('NATS is away')), limitMs);
  });
  try {
    await Promise.race([event, late]);
  } finally {
    clearTimeout(timer);
  }
};
