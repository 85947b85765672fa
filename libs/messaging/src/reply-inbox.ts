import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { newInbox } from './connection.js';
import { sendTogether } from './send-together.js';
import { signSubject } from './signs.js';

interface Waiting {
  readonly resolve: (data: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  timer: NodeJS.Timeout;
  /** Absent: whoever was asked does not say that it is at work. */
  readonly patience?: { readonly silenceMs: number; readonly until: number };
}

/** How long an answer is waited for. */
export interface Patience {
  readonly timeoutMs: number;
  /** Nothing was heard for so long: neither the answer nor a sign that it is being worked on. */
  readonly silenceMs?: number;
}

/** How NATS says that nobody listens on a subject. */
const noResponders = 503;

/** Nobody heard the question: it may be asked again. */
export class NobodyListens extends Error {
  override readonly name = 'NobodyListens';
}

/**
 * Questions and their answers over one subscription. The NATS client's own `request` does the same with several promises,
 * and an error with its stack, for each question: twice the cost.
 */
export class ReplyInbox {
  private readonly waiting = new Map<string, Waiting>();
  private readonly prefix: string;
  private signs: Subscription | undefined;
  private asked = 0;

  constructor(private readonly nats: NatsConnection) {
    this.prefix = `${newInbox(nats)}.`;
    nats.subscribe(`${this.prefix}*`, {
      callback: (error, message) => {
        // A subscription that NATS refuses comes here too, without a message; the connection's status tells it.
        if (error === null) this.receive(message);
        else this.failAll(error);
      },
    });
  }

  /** The answer's bytes. Rejects with {@link NobodyListens}, or when the time is over, the question cannot be sent, or on {@link failAll}. */
  ask(
    subject: string,
    payload: string | Uint8Array,
    { timeoutMs, silenceMs }: Patience,
  ): Promise<Uint8Array> {
    if (silenceMs !== undefined) this.hearSigns();
    return new Promise((resolve, reject) => {
      this.asked += 1;
      const token = this.asked.toString(36);
      const patience =
        silenceMs === undefined ? undefined : { silenceMs, until: performance.now() + timeoutMs };
      const timer = this.giveUpAfter(Math.min(timeoutMs, silenceMs ?? timeoutMs), token);
      this.waiting.set(token, { resolve, reject, timer, ...(patience && { patience }) });
      sendTogether(
        () => this.nats.publish(subject, payload, { reply: this.prefix + token }),
        (error) => this.fail(token, error),
      );
    });
  }

  /** Only services of ours say that they are at work, so a partner's rights need not include it. */
  private hearSigns(): void {
    if (this.signs !== undefined) return;
    const prefix = signSubject(this.prefix);
    this.signs = this.nats.subscribe(`${prefix}*`, {
      callback: (error, message) => {
        if (error === null) this.wait(message.subject.slice(prefix.length));
      },
    });
  }

  /** Nobody waits any longer for what was asked until now. */
  failAll(error: Error): void {
    for (const token of this.waiting.keys()) this.fail(token, error);
  }

  private receive(message: Msg): void {
    const token = message.subject.slice(this.prefix.length);
    if (message.data.length === 0 && message.headers?.code === noResponders)
      this.fail(token, new NobodyListens());
    else this.take(token)?.resolve(message.data);
  }

  /** Whoever was asked is at work: the wait for a sign of it begins anew. */
  private wait(token: string): void {
    const waiting = this.waiting.get(token);
    if (waiting?.patience === undefined) return;
    const { silenceMs, until } = waiting.patience;
    clearTimeout(waiting.timer);
    waiting.timer = this.giveUpAfter(Math.min(silenceMs, until - performance.now()), token);
  }

  private giveUpAfter(ms: number, token: string): NodeJS.Timeout {
    return setTimeout(() => this.fail(token, new Error('no answer came in time')), ms);
  }

  private fail(token: string, error: Error): void {
    this.take(token)?.reject(error);
  }

  /** An answer that comes too late, or twice, finds nobody. */
  private take(token: string): Waiting | undefined {
    const waiting = this.waiting.get(token);
    if (waiting === undefined) return undefined;
    this.waiting.delete(token);
    clearTimeout(waiting.timer);
    return waiting;
  }
}
