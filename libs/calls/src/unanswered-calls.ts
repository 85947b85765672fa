import type { LastReplies } from '@xs2a/contracts/pulse.contract';
import { counter } from '@xs2a/observability/metrics';

const unanswered = counter('xs2a_calls_unanswered_total', 'Calls that received no reply', ['callee']);

const windowSeconds = 60;

/** Counts the calls of this process that received no reply, by callee. */
export class UnansweredCalls {
  /** The counts of one second each, oldest first; seconds without an unanswered call are absent. */
  private seconds: { readonly second: number; readonly byCallee: Map<string, number> }[] = [];
  /** For each callee of the last minute's unanswered calls, when a reply was last missing, and received. */
  private readonly last = new Map<string, { missing: number; received?: number }>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  count(callee: string): void {
    unanswered.inc({ callee });
    const nowMs = this.nowMs();
    const second = Math.floor(nowMs / 1000);
    let last = this.seconds.at(-1);
    if (last?.second !== second) {
      this.forgetBefore(second - windowSeconds);
      last = { second, byCallee: new Map() };
      this.seconds.push(last);
    }
    last.byCallee.set(callee, (last.byCallee.get(callee) ?? 0) + 1);
    this.last.set(callee, { ...this.last.get(callee), missing: nowMs });
  }

  /**
   * Notes that a callee replied, and that NATS delivered the reply. Only those that left calls unanswered within the last minute
   * matter.
   */
  replied(callee: string): void {
    if (this.last.size === 0) return;
    for (const name of [callee, 'nats']) {
      const last = this.last.get(name);
      if (last !== undefined) last.received = this.nowMs();
    }
  }

  /** Returns the number of unanswered calls in the last minute of real time, for each callee that has any. */
  lastMinute(): Readonly<Record<string, number>> {
    this.forgetBefore(Math.floor(this.nowMs() / 1000) - windowSeconds);
    const sums: Record<string, number> = {};
    for (const { byCallee } of this.seconds)
      for (const [callee, count] of byCallee) sums[callee] = (sums[callee] ?? 0) + count;
    return sums;
  }

  /** Returns for how long replies have been missing and received, for the same callees. */
  lastReplies(): Readonly<Record<string, LastReplies>> {
    const nowMs = this.nowMs();
    const counted = this.lastMinute();
    for (const callee of this.last.keys()) if (!(callee in counted)) this.last.delete(callee);
    return Object.fromEntries(
      [...this.last].map(([callee, { missing, received }]) => [
        callee,
        {
          missingMs: Math.round(nowMs - missing),
          receivedMs: received === undefined ? undefined : Math.round(nowMs - received),
        },
      ]),
    );
  }

  private forgetBefore(second: number): void {
    this.seconds = this.seconds.filter((one) => one.second > second);
  }
}
