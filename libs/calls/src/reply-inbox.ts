import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { newInbox } from '@xs2a/nats/connection';
import type { InquiryAnswer } from './instances.js';
import { inquirySuffix, SecondTry, silenceBefore } from './second-try.js';
import { sendTogether } from './send-together.js';
import { signSubject } from './signs.js';

interface Waiting {
  readonly resolve: (data: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  timer: NodeJS.Timeout;
  readonly idleTimeoutMs: number;
  readonly until: number;
  readonly secondTry?: SecondTry;
}

/** Milliseconds for which an answer is waited for. */
export interface Timeouts {
  readonly timeoutMs: number;
  /**
   * Milliseconds after which the wait ends when neither the answer nor a heartbeat has come. Absent: no heartbeat is expected.
   */
  readonly idleTimeoutMs?: number;
  /** The question may be asked twice: once more when no instance works on it ({@link SecondTry}). */
  readonly isIdempotent?: boolean;
}

/** The status with which NATS says that nobody listens on a subject. */
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
    { timeoutMs, idleTimeoutMs = timeoutMs, isIdempotent = false }: Timeouts,
  ): Promise<Uint8Array> {
    if (idleTimeoutMs < timeoutMs) this.hearSigns();
    return new Promise((resolve, reject) => {
      this.asked += 1;
      const token = this.asked.toString(36);
      const reply = this.prefix + token;
      const until = performance.now() + timeoutMs;
      const wait = { resolve, reject, idleTimeoutMs, until };
      if (isIdempotent) {
        const silenceMs = silenceBefore(timeoutMs);
        const timer = setTimeout(() => this.inquire(token, idleTimeoutMs - silenceMs), silenceMs);
        const secondTry = new SecondTry(this.nats, { subject, payload, reply });
        this.waiting.set(token, { ...wait, timer, secondTry });
      } else {
        this.waiting.set(token, { ...wait, timer: this.giveUpAfter(idleTimeoutMs, token) });
      }
      sendTogether(
        () => this.nats.publish(subject, payload, { reply }),
        (error) => this.fail(token, error),
      );
    });
  }

  /** Nothing was heard of a question yet; it is waited for `leftMs` longer. */
  private inquire(token: string, leftMs: number): void {
    const waiting = this.waiting.get(token);
    if (waiting === undefined) return;
    waiting.timer = this.giveUpAfter(leftMs, token);
    waiting.secondTry?.inquire();
  }

  /** Subscribes to heartbeats. Only this bank's own services send them, so a core bank needs no right to. */
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
    const nobodyListens = message.data.length === 0 && message.headers?.code === noResponders;
    if (token.endsWith(inquirySuffix)) {
      const { secondTry } = this.waiting.get(token.slice(0, -inquirySuffix.length)) ?? {};
      if (!nobodyListens) secondTry?.heard(message.json<InquiryAnswer>());
    } else if (!nobodyListens) this.take(token)?.resolve(message.data);
    // The instance of the second try is gone: the one of the first may still answer.
    else if (this.waiting.get(token)?.secondTry?.isSent !== true) this.fail(token, new NobodyListens());
  }

  /** A heartbeat has come: the idle timeout begins anew. */
  private wait(token: string): void {
    const waiting = this.waiting.get(token);
    if (waiting === undefined) return;
    const { idleTimeoutMs, until } = waiting;
    clearTimeout(waiting.timer);
    waiting.secondTry?.end();
    waiting.timer = this.giveUpAfter(Math.min(idleTimeoutMs, until - performance.now()), token);
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
    waiting.secondTry?.end();
    return waiting;
  }
}
