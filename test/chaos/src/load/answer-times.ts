import { payeeWaitMs, verifyBasketPayees, verifyPaymentPayees } from '@xs2a/contracts/payees/payees.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { type Send, send } from '@xs2a/tpp-client/http';

/** Seconds within which every response must arrive (quality, "Reliability"). */
export const promisedSeconds = 2;
/** A second limit, above which a request counts as hanging rather than slow. */
export const hangingSeconds = 10;
/**
 * Seconds by which some requests may exceed the limit. Moving the sandbox clock waits until due work is done
 * (apps/gateway/src/sandbox/sandbox-clock.ts), and a verification of payees waits for their banks
 * (libs/contracts/src/payees/payees.contract.ts).
 */
const worksForSeconds: Readonly<Record<string, number>> = {
  'POST /sandbox/clock': 5,
  [verifyPaymentPayees.subject]: payeeWaitMs.bulk / 1000,
  [verifyBasketPayees.subject]: payeeWaitMs.bulk / 1000,
};

/**
 * Returns the seconds after which a response fails the run, unless the client itself was stopped for that long:
 * the promised time plus the overhead of running forty clients and all servers on two cores. If a password may
 * have to be hashed, the time limit of that call (libs/contracts/src/accounts.contract.ts) applies, because the
 * caller keeps waiting while the service reports that it is working.
 */
const toleratedSeconds = (what: string): number => (what.startsWith('POST /sca/') ? 6.5 : 4);

/** A response that took longer than promised. */
export interface SlowAnswer {
  /** The method and route, or the name of the call. */
  readonly what: string;
  /** The status, or the reason why no response arrived. */
  readonly outcome: string;
  readonly seconds: number;
  /** The part of `seconds` during which the client itself was stopped. */
  readonly stoppedSeconds: number;
  /**
   * The last fault before the response, and the seconds from its start to the request (negative if the fault
   * started after the request).
   */
  readonly fault?: { readonly kind: string; readonly secondsBefore: number };
}

/** The response counts of a run. */
export interface AnswerCounts {
  readonly answers: number;
  readonly maxWait?: SlowAnswer;
  /**
   * The numbers of responses that took longer than {@link promisedSeconds} and {@link hangingSeconds}. The time
   * for which the client was stopped, and the time that the request is meant to take, are deducted.
   */
  readonly overTwo: number;
  readonly overTen: number;
  /** The number of late responses by request, outcome and preceding fault. */
  readonly slow: Readonly<Record<string, number>>;
  /** The number of responses that were late only because of the deducted time. */
  readonly excused: number;
  /** One sentence for each response that exceeded the tolerated time. */
  readonly violations: readonly string[];
}

interface Stop {
  readonly from: number;
  to: number;
}

const maxSentences = 50;
const maxFailures = 1000;

/** Whether a call was answered with a refusal. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CallFailed && error.failures.every(({ failure }) => failure !== 'dependencyDown');

/**
 * Measures every response that clients wait for, and records the faults during that time. Times come from one
 * monotonic clock, in ms.
 */
export class AnswerTimes {
  private answers = 0;
  private slowest: SlowAnswer | undefined;
  private readonly late: SlowAnswer[] = [];
  private readonly stops: Stop[] = [];
  private readonly failures: { readonly from: number; readonly text: string }[] = [];
  private lastFault: { readonly kind: string; readonly at: number } | undefined;

  constructor(
    private readonly nowMs: () => number,
    /** Called for each response that was later than promised, unless the only cause was that the client was stopped. */
    private readonly onSlow: (slow: SlowAnswer) => void = () => undefined,
    private readonly sendThrough: Send = send,
  ) {}

  /** Sends a request and measures it. */
  readonly send: Send = async (method, url, sending) =>
    this.measure(
      requestName(method, url),
      async () => this.sendThrough(method, url, sending),
      ({ status }) => String(status),
    );

  /** Returns what `ask` returns, and throws what it throws. */
  async measure<Answer>(
    what: string,
    ask: () => Promise<Answer>,
    classify: (answer: Answer) => string,
  ): Promise<Answer> {
    const from = this.nowMs();
    try {
      const answer = await ask();
      const outcome = classify(answer);
      if (outcome.startsWith('5')) this.fail(what, outcome, from);
      this.note(what, outcome, from);
      return answer;
    } catch (error) {
      const outcome = error instanceof Error ? error.message : String(error);
      if (!isRefusal(error)) this.fail(what, outcome, from);
      this.note(what, outcome, from);
      throw error;
    }
  }

  fault(kind: string): void {
    this.lastFault = { kind, at: this.nowMs() };
  }

  /** Returns the requests sent since the given time that got no response or a status of 500 or above. */
  failuresSince(ms: number): readonly string[] {
    return this.failures.filter(({ from }) => from >= ms).map(({ text }) => text);
  }

  /** Records that the client was stopped for the given time, ending now. */
  stoodStill(ms: number): void {
    const now = this.nowMs();
    this.stops.push({ from: now - ms, to: now });
  }

  counts(): AnswerCounts {
    const over = (seconds: number): SlowAnswer[] => this.late.filter((slow) => unexcused(slow) > seconds);
    const slow: Record<string, number> = {};
    for (const one of over(promisedSeconds)) {
      const kind = `${one.what} ${one.outcome}, ${one.fault?.kind ?? 'no fault'}`;
      slow[kind] = (slow[kind] ?? 0) + 1;
    }
    const broken = this.late.filter((slow) => unexcused(slow) > toleratedSeconds(slow.what));
    return {
      answers: this.answers,
      ...(this.slowest === undefined ? {} : { maxWait: this.slowest }),
      overTwo: over(promisedSeconds).length,
      overTen: over(hangingSeconds).length,
      slow,
      excused: this.late.length - over(promisedSeconds).length,
      violations: broken.slice(0, maxSentences).map(describeSlow),
    };
  }

  private fail(what: string, outcome: string, from: number): void {
    this.failures.push({ from, text: `${what} ${outcome}` });
    if (this.failures.length > maxFailures) this.failures.shift();
  }

  private note(what: string, outcome: string, from: number): void {
    const to = this.nowMs();
    const seconds = (to - from) / 1000;
    this.answers += 1;
    const isLongest = seconds > (this.slowest?.seconds ?? 0);
    if (!isLongest && seconds <= promisedSeconds) return;
    const { lastFault } = this;
    const answer: SlowAnswer = {
      what,
      outcome,
      seconds,
      stoppedSeconds: this.stoppedMs(from, to) / 1000,
      ...(lastFault === undefined
        ? {}
        : { fault: { kind: lastFault.kind, secondsBefore: (from - lastFault.at) / 1000 } }),
    };
    if (isLongest) this.slowest = answer;
    if (seconds <= promisedSeconds) return;
    this.late.push(answer);
    if (unexcused(answer) > promisedSeconds) this.onSlow(answer);
  }

  /** Returns the milliseconds of the given time during which the client was stopped; overlapping stops count once. */
  private stoppedMs(from: number, to: number): number {
    let covered = from;
    let sum = 0;
    for (const stop of this.stops.toSorted((a, b) => a.from - b.from)) {
      const begin = Math.max(stop.from, covered);
      const end = Math.min(stop.to, to);
      if (end <= begin) continue;
      sum += end - begin;
      covered = end;
    }
    return sum;
  }
}

const unexcused = ({ what, seconds, stoppedSeconds }: SlowAnswer): number =>
  seconds - stoppedSeconds - (worksForSeconds[what] ?? 0);

/** Returns a description such as `GET /v1/accounts 503 after 2.1 s, asked 0.4 s after freeze postgres`. */
export const describeSlow = ({ what, outcome, seconds, stoppedSeconds, fault }: SlowAnswer): string => {
  const stopped = stoppedSeconds === 0 ? '' : `, ${stoppedSeconds.toFixed(1)} s of it stopped`;
  if (fault === undefined) return `${what} ${outcome} after ${seconds.toFixed(1)} s${stopped}`;
  const { kind, secondsBefore } = fault;
  const asked =
    secondsBefore < 0
      ? `asked ${(-secondsBefore).toFixed(1)} s before ${kind}`
      : `asked ${secondsBefore.toFixed(1)} s after ${kind}`;
  return `${what} ${outcome} after ${seconds.toFixed(1)} s${stopped}, ${asked}`;
};

/** Returns a request's method and path, without ids. */
export const requestName = (method: string, url: string): string =>
  `${method} ${withoutIds(new URL(url).pathname)}`;

/** Returns the text with its ids replaced, so that texts that differ only in ids are counted as one. */
export const withoutIds = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[\w-]{43}/g, 'ID');
