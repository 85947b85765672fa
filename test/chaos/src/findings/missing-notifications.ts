import type { EventResource } from '@xs2a/contracts/event-streams';
import { resources } from '@xs2a/resources/resources';
import type { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { uuidv5 } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';

interface Row {
  readonly stream_id: string;
  readonly event_id: string;
  readonly type: string;
}

/**
 * Statuses that are reported to a TPP as another status: a basket is not visible until it is created, and its
 * status is then RCVD.
 */
const notifiedAs: Readonly<Record<string, string>> = { opening: 'RCVD', abandoned: 'RCVD' };
/** The TPP is notified of each occurrence of a periodic order, although the order's status does not change. */
const isOccurrence = ({ type }: Row): boolean =>
  type === 'transaction-started' || type === 'transaction-refused';

/** Returns the events in a stream, in order, that are sent to its TPP if the TPP requested status changes. */
const eventsToNotify = (resource: EventResource, events: readonly Row[]): Row[] => {
  const statuses = resources[resource]
    .statusesAfter(events.map(({ type }) => type))
    .map((status = '') => notifiedAs[status] ?? status);
  const isOrder = events[0]?.type === 'order-initiated';
  return events.filter(
    (event, index) =>
      index > 0 && (statuses[index] !== statuses[index - 1] || (isOrder && isOccurrence(event))),
  );
};

/** The name of the id in notifications about a resource, by the table of its status view. */
const nouns: Readonly<Record<string, string>> = {
  payment_view: 'payment',
  basket_view: 'basket',
  consent_view: 'consent',
};

/**
 * Returns changes that were never sent to the TPP, or were sent before an earlier change (contract 11: at least
 * once, in order per resource), for payments, orders, bulk payments, baskets and consents. Notifications of events
 * that a database has lost are ignored.
 */
export const findMissingNotifications = async (
  schemas: { of(schema: EventResource): Pool },
  receiver: Pick<HttpReceiver, 'posts'>,
): Promise<string[]> => {
  const firstAt = new Map<unknown, number>();
  for (const [index, { headers }] of receiver.posts.entries()) {
    const id = headers['x-request-id'];
    if (!firstAt.has(id)) firstAt.set(id, index);
  }
  const violations: string[] = [];
  for (const resource of ['payments', 'consents'] as const) {
    for (const { table } of resources[resource].views) {
      const { rows } = await schemas.of(resource).query<Row>(
        `SELECT e.stream_id, e.event_id, e.type FROM events e JOIN ${table} v USING (stream_id)
         WHERE v.notified ORDER BY e.stream_id, e.version`,
      );
      for (const [streamId, events] of Map.groupBy(rows, ({ stream_id }) => stream_id)) {
        const name = `${nouns[table]} ${streamId}`;
        violations.push(...findMissing(name, eventsToNotify(resource, events), firstAt));
      }
    }
  }
  return violations;
};

const findMissing = (
  name: string,
  notified: readonly Row[],
  firstAt: ReadonlyMap<unknown, number>,
): string[] => {
  let last = -1;
  return notified.flatMap(({ event_id, type }) => {
    const at = firstAt.get(uuidv5('notification 0', event_id));
    const isEarly = at !== undefined && at < last;
    last = Math.max(last, at ?? last);
    if (at === undefined) return [`${name}: its TPP was not notified of ${type}`];
    return isEarly ? [`${name}: its TPP was notified of ${type} too early`] : [];
  });
};
