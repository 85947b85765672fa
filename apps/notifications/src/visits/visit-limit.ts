import { Injectable } from '@nestjs/common';
import { Clock } from '@xs2a/runtime/clock';

const perMinute = 30;
const minuteMs = 60_000;

/** Limits how often a TPP has its application visited: 30 times in any minute of real time, by this instance. */
@Injectable()
export class VisitLimit {
  /** The times of the visits in the last minute, by TPP. */
  private readonly recent = new Map<string, readonly number[]>();

  constructor(private readonly clock: Clock) {}

  /** Counts a visit. Returns the seconds to wait if there were too many; such a visit is not counted. */
  take(tppId: string): number | undefined {
    const now = this.clock.realMs;
    for (const [id, times] of this.recent) {
      const left = times.filter((time) => time > now - minuteMs);
      if (left.length === 0) this.recent.delete(id);
      else this.recent.set(id, left);
    }
    const times = this.recent.get(tppId) ?? [];
    const [oldest] = times;
    if (oldest !== undefined && times.length >= perMinute)
      return Math.max(1, Math.ceil((oldest + minuteMs - now) / 1000));
    this.recent.set(tppId, [...times, now]);
    return undefined;
  }
}
