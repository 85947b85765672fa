import { runLoad } from '@xs2a/test-support/load';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { present, type TrafficRequest } from './traffic-requests.js';

export interface Answered {
  /** Milliseconds since the traffic started. */
  readonly atMs: number;
  readonly tookMs: number;
  /** The status, or 0 if the connection was lost or no response arrived within ten seconds. */
  readonly status: number;
  readonly retryAfter: string | null;
  readonly service: TrafficRequest['service'];
  readonly request: string;
}

export interface TrafficSource {
  /** The addresses to which requests are sent in turn. */
  readonly doors: readonly string[];
  /** The requests to send in turn; the first one is a payment. */
  readonly requests: readonly TrafficRequest[];
}

const perSecond = 50;
/** Enough connections for a request every 20 ms, even if each one waits ten seconds for its response. */
const maxOpen = 512;

/** A TPP that sends 50 requests a second, whether or not earlier requests have been answered. No request is retried. */
export class SteadyTraffic {
  readonly answers: Answered[] = [];
  /** The ids of acknowledged payments. */
  readonly payments: string[] = [];
  private readonly begun = performance.now();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private doors: readonly string[];

  constructor(private readonly source: TrafficSource) {
    this.doors = source.doors;
  }

  /** Changes the addresses for all further requests, like a reconfigured balancer. */
  goThrough(doors: readonly string[]): void {
    this.doors = doors;
  }

  get nowMs(): number {
    return performance.now() - this.begun;
  }

  start(): void {
    const rate = { stop: this.stopping.signal, clients: maxOpen, perSecond };
    this.running = runLoad(async (number) => this.ask(number), rate);
  }

  /** Resolves when every request has been answered. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Resolves once only acceptable responses have arrived for the given number of milliseconds. */
  async wellFor(ms: number): Promise<void> {
    const from = this.nowMs;
    while (this.nowMs - Math.max(from, this.lastFailureMs) < ms) await wait(50);
  }

  /** The time at which the last failed request was sent; 0 if no request failed. */
  get lastFailureMs(): number {
    return this.answers.findLast(({ status }) => !isServed(status))?.atMs ?? 0;
  }

  private async ask(number: number): Promise<void> {
    const paid = this.payments[number % Math.max(1, this.payments.length)];
    const [initiate] = this.source.requests;
    const asked = paid === undefined ? initiate : this.source.requests[number % this.source.requests.length];
    if (asked === undefined) throw new RangeError('there is no request to send');
    const { service, method, path, authorization, ...sending } = asked;
    const atMs = this.nowMs;
    // A missing response counts as a failure.
    const answer = await send(method, `${this.doors[number % this.doors.length] ?? ''}${path(paid ?? '')}`, {
      ...sending,
      headers: { ...present, authorization, 'idempotency-key': randomUUID() },
    }).catch(() => undefined);
    this.answers.push({
      atMs,
      tookMs: this.nowMs - atMs,
      status: answer?.status ?? 0,
      retryAfter: answer?.headers.get('retry-after') ?? null,
      service,
      request: method,
    });
    if (answer?.status === 201) this.payments.push(parseJson<{ paymentId: string }>(answer).paymentId);
  }
}

const isServed = (status: number): boolean => status === 200 || status === 201;

/** Returns the responses that must not occur: those that are neither a success nor a 503 with Retry-After. */
export const wrongAnswers = (answers: readonly Answered[]): readonly Answered[] =>
  answers.filter(
    ({ status, retryAfter }) => !isServed(status) && !(status === 503 && Number(retryAfter) >= 1),
  );
