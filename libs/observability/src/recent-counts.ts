/** Milliseconds of real time that a recent count covers. */
const recentMs = 5 * 60_000;
/** Events of one slot are forgotten together. */
const slotMs = 10_000;

/** Counts what happened in this process in the last five minutes, for the pages of operators. */
export class RecentCount {
  /** Oldest first; slots without an event are absent. */
  private slots: { readonly slot: number; count: number }[] = [];

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  inc(): void {
    const slot = Math.floor(this.nowMs() / slotMs);
    const last = this.slots.at(-1);
    if (last?.slot === slot) last.count += 1;
    else this.slots = [...this.current(), { slot, count: 1 }];
  }

  get(): number {
    this.slots = this.current();
    return this.slots.reduce((sum, { count }) => sum + count, 0);
  }

  private current(): { readonly slot: number; count: number }[] {
    const first = Math.floor((this.nowMs() - recentMs) / slotMs);
    return this.slots.filter(({ slot }) => slot > first);
  }
}

const counts = new Map<string, RecentCount>();

/** Creates a count that is part of the pulses of this process, under its name. */
export const recentCount = (name: string): RecentCount => {
  const count = new RecentCount();
  counts.set(name, count);
  return count;
};

/** Returns all counts of this process by name. */
export const readRecentCounts = (): Readonly<Record<string, number>> =>
  Object.fromEntries([...counts].map(([name, count]) => [name, count.get()]));
