/**
 * The only source of time. In the sandbox, it runs ahead of real time by an offset that only grows. In production
 * the offset stays zero, whatever messages arrive.
 */
export class Clock {
  private offset = 0;
  private readonly listeners = new Set<() => void>();
  private readonly days = new Map<string, { readonly quarter: number; readonly date: string }>();

  constructor(
    private readonly adjustable: boolean,
    /** Returns real time in epoch milliseconds. */
    private readonly real: () => number = Date.now,
  ) {}

  /** The current time in epoch milliseconds. */
  nowMs(): number {
    return this.real() + this.offset;
  }

  /** Real time in epoch milliseconds, for what the sandbox clock does not move, such as records for operators. */
  get realMs(): number {
    return this.real();
  }

  /** The current time as an ISO 8601 instant in UTC. */
  now(): string {
    return new Date(this.nowMs()).toISOString();
  }

  /** The current ISO date in a time zone. */
  date(timeZone: string): string {
    const nowMs = this.nowMs();
    const quarter = Math.floor(nowMs / quarterMs);
    const known = this.days.get(timeZone);
    if (known?.quarter === quarter) return known.date;
    const date = dateFormat(timeZone).format(nowMs);
    this.days.set(timeZone, { quarter, date });
    return date;
  }

  get offsetMs(): number {
    return this.offset;
  }

  /**
   * Moves the clock forward to an offset in milliseconds. A smaller offset than the current one is ignored as
   * outdated.
   */
  raiseTo(offsetMs: number): void {
    if (!this.adjustable || !Number.isSafeInteger(offsetMs) || offsetMs <= this.offset) return;
    this.offset = offsetMs;
    for (const listener of this.listeners) listener();
  }

  /** Calls `listener` after each move of the clock; returns a function that unsubscribes it. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** In every time zone, midnight is at a full quarter of an hour. */
const quarterMs = 15 * 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();
const dateFormat = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, made);
  return made;
};
