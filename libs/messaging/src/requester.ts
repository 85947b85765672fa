import type { NatsConnection } from '@nats-io/transport-node';
import type { Call, Reply } from '@xs2a/contracts/call';
import { callContext, type Envelope, type TravellingClock } from './call-context.js';
import { CallFailed, dependencyDown } from './call-failed.js';
import { readReply } from './reply-bytes.js';
import { ReplyInbox } from './reply-inbox.js';

/** So long a call waits before it asks NATS whether it is there, and so long NATS may take to say so. */
const patienceMs = 1300;
const pongMs = 500;

/** Calls other services: request/reply with a deadline, the caller's context, and typed failures. */
export class Requester {
  private connected = true;
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
    if (!this.connected) throw dependencyDown();
    const offset = this.clock.offsetMs;
    const envelope: Envelope<Request> = {
      context: callContext.getStore(),
      ...(offset === 0 ? {} : { clock: offset }),
      request,
    };
    const reply = await this.send<Answer>(subject, JSON.stringify(envelope), timeoutMs);
    if ('failures' in reply) throw new CallFailed(reply.failures);
    return reply.ok;
  }

  /** Bytes for bytes, for a partner that does not speak our envelope. Throws dependencyDown when nobody answers in time. */
  async ask(subject: string, payload: string, timeoutMs: number): Promise<Uint8Array> {
    if (!this.connected) throw dependencyDown();
    return this.exchange(subject, payload, timeoutMs, (data) => data);
  }

  private async send<Answer>(subject: string, payload: string, timeout: number): Promise<Reply<Answer>> {
    return this.exchange(subject, payload, timeout, readReply<Answer>);
  }

  private async exchange<Answer>(
    subject: string,
    payload: string,
    timeout: number,
    read: (data: Uint8Array) => Answer,
  ): Promise<Answer> {
    try {
      const answer = this.inbox.ask(subject, payload, timeout);
      return read(await (timeout > patienceMs + pongMs ? this.unlessSilent(answer) : answer));
    } catch {
      // No responders, a timeout or a closed connection: the caller sees one thing, nobody answered.
      throw dependencyDown();
    }
  }

  /** A call may take long; a NATS that stands still is noticed before two seconds have passed. */
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
        this.connected = false;
        // The answer to what was sent over a connection that was lost does not come any more.
        this.inbox.failAll(new Error('the connection to NATS was lost'));
      }
      if (status.type === 'reconnect') this.connected = true;
    }
  }
}
