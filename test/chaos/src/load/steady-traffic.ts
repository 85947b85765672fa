import { runLoad } from '@xs2a/test-support/load';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { present, type TrafficRequest } from './traffic-requests.js';

export interface Answered {
  /** Milliseconds since the traffic began. */
  readonly atMs: number;
  readonly tookMs: number;
  /** 0 if the connection was lost or there was no response within ten seconds. */
  readonly status: number;
  readonly retryAfter: string | null;
  readonly service: TrafficRequest['service'];
  readonly request: string;
}

export interface TrafficSource {
  /** The addresses that requests go to, in turn. */
  readonly doors: readonly string[];
  /** The requests, sent in turn; the first is a payment. */
  readonly requests: readonly TrafficRequest[];
}

const perSecond = 50;
/** Enough for a request every 20 ms although each waits ten seconds for its answer. */
const maxOpen = 512;

/** A TPP that sends 50 requests a second, whether earlier ones were answered or not. Nothing is sent twice. */
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

  /** Changes the addresses from the next request on, like a reconfigured balancer. */
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

  /** Resolves when every request is answered. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Resolves after this many milliseconds with only acceptable responses. */
  async wellFor(ms: number): Promise<void> {
    const from = this.nowMs;
    while (this.nowMs - Math.max(from, this.lastFailureMs) < ms) await wait(50);
  }

  /** The time at which the last failed request was sent; 0 if none failed. */
  get lastFailureMs(): number {
    return this.answers.findLast(({ status }) => !isServed(status))?.atMs ?? 0;
  }

  private async ask(number: number): Promise<void> {
    const paid = this.payments[number % Math.max(1, this.payments.length)];
    const [initiate] = this.source.requests;
    const asked = paid === undefined ? initiate : this.source.requests[number % this.source.requests.length];
    if (asked === undefined) throw new RangeError('there is nothing to ask');
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

/** The responses that must not occur, which are neither a success nor a 503 with Retry-After. */
export const wrongAnswers = (answers: readonly Answered[]): readonly Answered[] =>
  answers.filter(
    ({ status, retryAfter }) => !isServed(status) && !(status === 503 && Number(retryAfter) >= 1),
  );
