import { counter } from '@xs2a/observability/metrics';

const unanswered = counter('xs2a_calls_unanswered_total', 'Calls that received no reply', ['callee']);

const windowSeconds = 60;

/** Counts the calls of this process that received no reply, by callee. */
export class UnansweredCalls {
  /** The counts of one second each, oldest first; seconds without an unanswered call are absent. */
  private seconds: { readonly second: number; readonly byCallee: Map<string, number> }[] = [];

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  count(callee: string): void {
    unanswered.inc({ callee });
    const second = Math.floor(this.nowMs() / 1000);
    let last = this.seconds.at(-1);
    if (last?.second !== second) {
      this.forgetBefore(second - windowSeconds);
      last = { second, byCallee: new Map() };
      this.seconds.push(last);
    }
    last.byCallee.set(callee, (last.byCallee.get(callee) ?? 0) + 1);
  }

  /** Returns the number of unanswered calls in the last minute of real time, for each callee that has any. */
  lastMinute(): Readonly<Record<string, number>> {
    this.forgetBefore(Math.floor(this.nowMs() / 1000) - windowSeconds);
    const sums: Record<string, number> = {};
    for (const { byCallee } of this.seconds)
      for (const [callee, count] of byCallee) sums[callee] = (sums[callee] ?? 0) + count;
    return sums;
  }

  private forgetBefore(second: number): void {
    this.seconds = this.seconds.filter((one) => one.second > second);
  }
}
