import type { Clock } from '@xs2a/runtime/clock';

const minuteMs = 60_000;

/** Allows a number of calls per TPP and minute of real time. */
export class PerMinute {
  private minute = 0;
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly clock: Pick<Clock, 'realMs'>,
    private readonly max: number,
  ) {}

  /** Counts a call, and returns true if it is one of the first calls of its TPP in this minute. Empty: no TPP. */
  take(tppId: string): boolean {
    const minute = Math.floor(this.clock.realMs / minuteMs);
    if (minute !== this.minute) this.counts.clear();
    this.minute = minute;
    const count = (this.counts.get(tppId) ?? 0) + 1;
    this.counts.set(tppId, count);
    return count <= this.max;
  }
}
