import { jsonOf, send } from '@xs2a/sandbox/http';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { domesticPath } from './steady-tpp.js';

export interface Answered {
  /** Milliseconds since the traffic began. */
  readonly atMs: number;
  readonly tookMs: number;
  /** 0: the connection was lost, or there was no answer within ten seconds. */
  readonly status: number;
  readonly retryAfter: string | null;
  readonly request: string;
}

export interface TrafficSource {
  /** Where requests go, in turn. */
  readonly doors: readonly string[];
  readonly token: string;
  readonly debtorIban: string;
}

/**
 * A TPP that sends a request every few milliseconds, whether the ones before were answered or not: POST of a payment, its
 * status, and a consent that does not exist, in turn. Nothing is sent twice.
 */
export class SteadyTraffic {
  readonly answers: Answered[] = [];
  /** Payments that were acknowledged. */
  readonly payments: string[] = [];
  private readonly begun = performance.now();
  private readonly open = new Set<Promise<void>>();
  private running: Promise<void> | undefined;
  private stopping = false;
  private doors: readonly string[];

  constructor(
    private readonly source: TrafficSource,
    private readonly everyMs = 20,
  ) {
    this.doors = source.doors;
  }

  /** From the next request on, as a balancer does that was told. */
  goThrough(doors: readonly string[]): void {
    this.doors = doors;
  }

  get nowMs(): number {
    return performance.now() - this.begun;
  }

  start(): void {
    this.running = (async () => {
      for (let number = 0; !this.stopping; number += 1) {
        const asked = this.ask(number);
        this.open.add(asked);
        void asked.finally(() => this.open.delete(asked));
        await wait(this.everyMs);
      }
    })();
  }

  /** All that was sent is answered then. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
    await Promise.all(this.open);
  }

  /** Resolves when for so many milliseconds nothing but good answers came. */
  async wellFor(ms: number): Promise<void> {
    const from = this.nowMs;
    while (this.nowMs - Math.max(from, this.lastFailureMs) < ms) await wait(50);
  }

  /** When the last request that was not served was sent; 0: none. */
  get lastFailureMs(): number {
    return this.answers.findLast(({ status }) => !isServed(status))?.atMs ?? 0;
  }

  private async ask(number: number): Promise<void> {
    const [method, path, json] = this.request(number);
    const headers = { authorization: `Bearer ${this.source.token}`, 'idempotency-key': randomUUID() };
    const atMs = this.nowMs;
    const answer = await send(method, `${this.doors[number % this.doors.length] ?? ''}${path}`, {
      headers,
      ...(json === undefined ? {} : { json }),
    }).catch(() => undefined);
    this.answers.push({
      atMs,
      tookMs: this.nowMs - atMs,
      status: answer?.status ?? 0,
      retryAfter: answer?.headers.get('retry-after') ?? null,
      request: method,
    });
    if (answer?.status === 201) this.payments.push(jsonOf<{ paymentId: string }>(answer).paymentId);
  }

  private request(number: number): [method: string, path: string, json?: object] {
    const known = this.payments[number % Math.max(1, this.payments.length)];
    if (number % 3 === 0 || known === undefined) return ['POST', domesticPath, this.payment()];
    if (number % 3 === 1) return ['GET', `${domesticPath}/${known}/status`];
    return ['GET', `/v1/consents/${randomUUID()}/status`];
  }

  private payment(): object {
    return {
      debtorAccount: { iban: this.source.debtorIban },
      instructedAmount: { currency: 'BGN', amount: '1.00' },
      creditorAccount: { iban: 'BG26RZBB91551023456789' },
      creditorName: 'Petar Ivanov',
      remittanceInformationUnstructured: 'Traffic',
      serviceLevel: 'NURG',
    };
  }
}

/** 403: the consent asked for does not exist; somebody has to be there to say so. */
const isServed = (status: number): boolean => status === 200 || status === 201 || status === 403;

/** What must never be: neither served nor refused with 503 and Retry-After. */
export const wrongAnswers = (answers: readonly Answered[]): readonly Answered[] =>
  answers.filter(
    ({ status, retryAfter }) => !isServed(status) && !(status === 503 && Number(retryAfter) >= 1),
  );
