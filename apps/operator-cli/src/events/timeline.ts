import type { EventResource } from '@xs2a/contracts/event-streams';
import type { TimelineEvent } from '@xs2a/contracts/timeline.contract';
import { readTimeline as readStream } from '@xs2a/resources/timeline';
import { findBasket, itemsText, type ShownItem } from '../payments/basket-show.js';
import type { Connections } from '../connections.js';
import { durationText } from '@xs2a/doctor/durations';
import { formatDetails } from '@xs2a/resources/event-details';
import { defineCommand } from '../command-line/define-command.js';
import { argument } from '../command-line/options.js';
import { table } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { settlementEntries, type SettlementRow } from '../payments/settlement-queue.js';

interface TimelineEntry {
  readonly pos: number | null;
  readonly version: number;
  readonly time: string;
  /** The number of milliseconds since the previous event; null for the first event. */
  readonly afterMs: number | null;
  readonly type: string;
  /**
   * The status of the payment, consent or signing basket after the event; null if its lifecycle does not include
   * this transition.
   */
  readonly status: string | null;
  readonly actor: string;
  readonly requestId: string | null;
  readonly data: unknown;
}

/** A settlement step of a payment that the worker has not executed yet. */
interface DueEntry {
  readonly kind: SettlementRow['kind'];
  readonly dueAt: string;
  readonly attempts: number;
  readonly retryAt: string | null;
  readonly lastFailure: string | null;
}

export interface Timeline {
  readonly resource: EventResource;
  readonly id: string;
  readonly events: readonly TimelineEntry[];
  readonly due: readonly DueEntry[];
  /** The items of a signing basket in their current state. */
  readonly items?: readonly ShownItem[];
}

/**
 * Reads the history of a payment, a consent or a signing basket from the event store. Throws {@link Refusal} if
 * the id does not exist.
 */
const readTimeline = async (connections: Connections, id: string): Promise<Timeline> => {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw new Refusal(`${id} is not the id of a payment, consent or signing basket.`, 2);
  for (const resource of ['payments', 'consents'] as const) {
    const found = await readStream(connections.pool(resource), resource, id);
    if (found === undefined) continue;
    const [due, basket] =
      resource === 'payments'
        ? await Promise.all([readDue(connections, id), findBasket(connections, id)])
        : [[], undefined];
    const timeline = { resource, id, events: listEntries(found.events), due };
    return basket === undefined ? timeline : { ...timeline, items: basket.items };
  }
  throw new Refusal(`There is no payment, consent or signing basket ${id}.`);
};

const listEntries = (events: readonly TimelineEvent[]): TimelineEntry[] =>
  events.map(({ pos, version, at, type, status, actor, requestId, data }, index) => {
    const before = events[index - 1];
    const afterMs = before === undefined ? null : Date.parse(at) - Date.parse(before.at);
    return { pos, version, time: at, afterMs, type, status, actor, requestId, data };
  });

const readDue = async (connections: Connections, id: string): Promise<DueEntry[]> => {
  const { rows } = await connections
    .pool('settlement')
    .query<SettlementRow>(`SELECT * FROM (${settlementEntries}) AS entry WHERE payment_id = $1`, [id]);
  return rows.map((row) => ({
    kind: row.kind,
    dueAt: row.due_at.toISOString(),
    attempts: row.attempts,
    retryAt: row.retry_at?.toISOString() ?? null,
    lastFailure: row.last_failure,
  }));
};

const describeKind = ({ resource, items }: Timeline): string => {
  if (resource === 'consents') return 'consent';
  return items === undefined ? 'payment' : 'signing basket';
};

export const showTimeline = defineCommand({
  name: 'show',
  help: 'the timeline: every event, the time between them, the status after each, what is due next',
  options: { id: argument('id of a payment, a consent or a signing basket') },
  run: async ({ connections, options: { id } }) => readTimeline(connections, id),
  text: (timeline) =>
    [
      `${describeKind(timeline)} ${timeline.id}`,
      table(timeline.events, {
        position: ({ pos }) => pos ?? 'waiting',
        time: ({ time }) => time,
        after: ({ afterMs }) => (afterMs === null ? '' : `+${durationText(afterMs)}`),
        event: ({ type }) => type,
        status: ({ status }) => status ?? '(impossible)',
        by: ({ actor }) => actor,
        details: ({ data }) => formatDetails(data),
      }),
      ...timeline.due.map(
        ({ kind, dueAt, attempts, lastFailure, retryAt }) =>
          `next: ${kind} at ${dueAt}${attempts === 0 ? '' : `; failed ${attempts} times (${lastFailure}), again at ${retryAt}`}`,
      ),
      ...(timeline.items === undefined ? [] : [itemsText(timeline.items)]),
    ].join('\n'),
});
