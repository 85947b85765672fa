import type { EventResource } from '@xs2a/contracts/event-streams';
import type { Month } from '@xs2a/event-store/months/months';
import type { Connections } from '../connections.js';

/**
 * Returns the first position of a month, up to `upTo`, that the `notifications` service has not read; undefined if
 * it has read all of them.
 */
export const findUnread = async (
  connections: Connections,
  {
    resource,
    month,
    upTo,
  }: { readonly resource: EventResource; readonly month: Month; readonly upTo: number },
): Promise<number | undefined> => {
  const { rows } = await connections.pool('notifications').query<{ next: number; unread: number | null }>(
    `SELECT coalesce((SELECT pos FROM checkpoint WHERE source = $1), 0) + 1 AS next,
       (SELECT min(pos) FROM unread_resource WHERE source = $1 AND resource_id > $2 AND resource_id < $3) AS unread`,
    [resource, month.from, month.to],
  );
  const first = Math.min(...rows.flatMap(({ next, unread }) => (unread === null ? [next] : [next, unread])));
  return first <= upTo ? first : undefined;
};
