import { type Anchor, anchorAfter, type CarriedChain } from './log-anchor.js';
import type { PositionedEvent } from './relay-log.js';

/** Positions that are kept at least; at 4,000 events a second projections are some 2,000 behind. */
const kept = 4000;

/** An event of the tail: what projections and anchors want of it. */
export interface TailEvent {
  readonly pos: number;
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  /** JSON; null where nobody wants the data of its type. */
  readonly data: string | null;
  readonly at_ms: number;
  readonly hash: string;
}

/**
 * The end of the log as the relay of this process has just written it, for readers in the same process that would ask the
 * database for the same again. Holds nothing while another process leads. Events and their positions never change once
 * committed, and whoever leads holds the lock that makes it the only one to give positions.
 */
export class LogTail implements CarriedChain {
  /** It holds what is behind this position; undefined: this process does not lead. */
  private from: number | undefined;
  private events: TailEvent[] = [];
  private carried: Anchor | undefined;
  private listener: () => void = () => undefined;

  /** `dataOf`: the event types whose data is kept. */
  constructor(private readonly dataOf: readonly string[] = []) {}

  /** This process leads, and the log ends at `head`. */
  begin(head: number): void {
    this.forget();
    this.from = head;
    this.listener();
  }

  /** Another process may lead from here on. */
  forget(): void {
    this.from = undefined;
    this.events = [];
    this.carried = undefined;
  }

  /** Called whenever it begins anew: then nobody carries the chain. */
  onBegin(listener: () => void): void {
    this.listener = listener;
  }

  /** Events in order of position; what it has already is left out. */
  take(events: readonly PositionedEvent[]): void {
    if (this.from === undefined) return;
    for (const event of events) {
      const end = this.from + this.events.length;
      if (event.pos <= end) continue;
      if (event.pos > end + 1) return this.forget();
      this.events.push(this.told(event));
      if (this.carried?.pos === end) this.carried = anchorAfter(this.carried, event);
    }
    // Every so often, so that it costs nothing for each batch.
    if (this.events.length < 2 * kept) return;
    this.from += this.events.length - kept;
    this.events = this.events.slice(-kept);
  }

  /** The events after `from` up to `to`; undefined when it does not hold all of them, or not the data of these types (absent: all). */
  page(from: number, to: number, dataOf?: readonly string[]): readonly TailEvent[] | undefined {
    return dataOf?.every((type) => this.dataOf.includes(type)) === true ? this.stretch(from, to) : undefined;
  }

  private stretch(from: number, to: number): readonly TailEvent[] | undefined {
    if (this.from === undefined || from < this.from || to > this.from + this.events.length) return undefined;
    return this.events.slice(from - this.from, to - this.from);
  }

  get anchor(): Anchor | undefined {
    return this.carried;
  }

  carryOn(anchor: Anchor): void {
    const after = this.stretch(anchor.pos, (this.from ?? 0) + this.events.length);
    this.carried = after?.reduce(anchorAfter, anchor);
  }

  private told(event: PositionedEvent): TailEvent {
    const { pos, stream_id, version, type, schema_version, hash } = event;
    const data = this.dataOf.includes(type) ? event.data : null;
    return { pos, stream_id, version, type, schema_version, data, at_ms: event.occurred_at.getTime(), hash };
  }
}
