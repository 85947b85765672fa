import type { TimelineEvent } from '@xs2a/contracts/timeline.contract';
import { durationText } from '@xs2a/doctor/durations';
import type { CallEntity } from '../calls/call.entity.js';
import { isBy, type Moment } from './moments.js';
import { whatHappened } from './what-happened.js';

/** Milliseconds after its due time from which on a step is marked as late. */
const lateMs = 5000;
/** Milliseconds by which the clocks of a call and of its event may differ; a sandbox may move the bank's clock. */
const sameClockMs = 60_000;

const movedNote = '(due earlier: the sandbox clock was moved)';

/** One row in the history of a resource. */
export interface TimelineRow {
  readonly kind: 'call' | 'event';
  /** @format date-time */
  readonly at: string;
  /** Milliseconds since the event before; undefined for the first one and for calls. */
  readonly afterMs?: number;
  readonly what: string;
  /** What an operator should know, for example that it was late. */
  readonly note?: string;
  /** True if the note names a fault. */
  readonly isLate?: boolean;
  readonly where: string;
  readonly pos?: number;
  readonly requestId?: string;
  /** True if it happened after the moment with which the page compares. */
  readonly isNew: boolean;
}

/** How the time of a resource passed: the intervals between its events. */
export interface Interval {
  readonly ms: number;
  /** `late`: something was due and not done. */
  readonly kind: 'waits' | 'late';
  readonly text: string;
}

export interface TimelineView {
  readonly rows: readonly TimelineRow[];
  readonly intervals: readonly Interval[];
  /** The status after the last event shown. */
  readonly status: string | null;
  /** The status at the moment with which the page compares. */
  readonly statusBefore?: string | null;
  /** Calls that caused no event shown: reads, refusals, repeats. */
  readonly otherCalls: readonly CallEntity[];
}

export interface TimelineParts {
  readonly events: readonly TimelineEvent[];
  readonly calls: readonly CallEntity[];
  /** Nothing after it is shown. */
  readonly asOf?: Moment;
  /** Events after it are marked. */
  readonly since?: Moment;
  /** How much of a period, in epoch milliseconds, passed because the sandbox clock was moved. Nothing is late because of it. */
  readonly movedWithin?: (fromMs: number, toMs: number) => number;
}

/** Puts the events of a resource and the calls that caused them into one order. */
export const toTimeline = ({
  events,
  calls,
  asOf,
  since,
  movedWithin = () => 0,
}: TimelineParts): TimelineView => {
  const shown = asOf === undefined ? events : events.filter((event) => isBy(event, asOf));
  const rows: TimelineRow[] = [];
  const intervals: Interval[] = [];
  const causes = causesOf(events, calls);
  let due: string | undefined;
  for (const [index, event] of shown.entries()) {
    const before = shown[index - 1];
    const atMs = Date.parse(event.at);
    const afterMs = before === undefined ? undefined : atMs - Date.parse(before.at);
    const isNew = since !== undefined && !isBy(event, since);
    const call = causes.get(event);
    if (call !== undefined) rows.push(callRow(call, event, isNew));
    const sinceDue = due === undefined ? 0 : atMs - Date.parse(due);
    const overdue = sinceDue - (due === undefined ? 0 : movedWithin(Date.parse(due), atMs));
    const isLate = overdue > lateMs;
    rows.push({
      kind: 'event',
      at: event.at,
      afterMs,
      what: whatHappened(event),
      note: isLate ? `${durationText(overdue)} late` : sinceDue > lateMs ? movedNote : undefined,
      isLate,
      where: `${event.status ?? 'impossible here'} · by ${event.actor}`,
      pos: event.pos ?? undefined,
      isNew,
    });
    if (before !== undefined && afterMs !== undefined)
      intervals.push(...divide(afterMs, isLate ? Math.min(overdue, afterMs) : 0, before.type, event.type));
    due = dueAfter(event);
  }
  return {
    rows,
    intervals,
    status: shown.at(-1)?.status ?? null,
    statusBefore:
      since === undefined ? undefined : (shown.findLast((event) => isBy(event, since))?.status ?? null),
    otherCalls: calls.filter((call) => ![...causes.values()].includes(call)),
  };
};

/** Finds the call that caused each event. An event caused by the same call as the one before it has none of its own. */
const causesOf = (
  events: readonly TimelineEvent[],
  calls: readonly CallEntity[],
): ReadonlyMap<TimelineEvent, CallEntity> => {
  const causes = new Map<TimelineEvent, CallEntity>();
  for (const [index, event] of events.entries()) {
    if (event.requestId === events[index - 1]?.requestId) continue;
    const call = calls.find(({ requestId, status }) => requestId === event.requestId && status < 400);
    if (call !== undefined) causes.set(event, call);
  }
  return causes;
};

const callRow = (call: CallEntity, event: TimelineEvent, isNew: boolean): TimelineRow => {
  const at = call.at.toISOString();
  const isSameClock = Math.abs(call.at.getTime() - Date.parse(event.at)) < sameClockMs;
  return {
    kind: 'call',
    at: isSameClock ? at : event.at,
    what: `${call.operation} → ${call.status}`,
    note: undefined,
    where: `gateway · ${durationText(call.ms)}${isSameClock ? '' : ` · ${at.slice(0, 19).replace('T', ' ')} real time`}`,
    requestId: call.requestId,
    isNew,
  };
};

/** When settlement had to act on a payment after an event; undefined if it had not. */
const dueAfter = ({ data: { dueAt } }: TimelineEvent): string | undefined =>
  typeof dueAt === 'string' ? dueAt : undefined;

/** Divides the time between two events into the part in which it waited and the part in which it was late. */
const divide = (ms: number, late: number, from: string, to: string): Interval[] => {
  const text = `${from.replaceAll('-', ' ')} → ${to.replaceAll('-', ' ')}`;
  return [
    ...(ms > late
      ? [{ ms: ms - late, kind: 'waits' as const, text: `${text}: ${durationText(ms - late)}` }]
      : []),
    ...(late > 0
      ? [{ ms: late, kind: 'late' as const, text: `${text}: late by ${durationText(late)}` }]
      : []),
  ];
};
