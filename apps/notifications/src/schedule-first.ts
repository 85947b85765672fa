import { binaryArray } from '@xs2a/postgres/binary-array';
import type { Session } from '@xs2a/postgres/session-lock';

/**
 * Makes the first waiting notification of each of these resources due now unless it already has a time; without ids, of
 * all resources. Run it after the change that ended a notification has been committed.
 */
export const scheduleFirst = async (session: Session, resourceIds?: readonly string[]): Promise<void> => {
  await session.query({
    name: resourceIds === undefined ? 'notification-schedule-all' : 'notification-schedule',
    text: `UPDATE notification n SET next_try_at = now() FROM (
        SELECT DISTINCT ON (resource_id) notification_id FROM notification
        WHERE state = 'waiting' ${resourceIds === undefined ? '' : 'AND resource_id = ANY($1::uuid[])'}
        ORDER BY resource_id, pos, part
      ) AS first WHERE n.notification_id = first.notification_id AND n.state = 'waiting' AND n.next_try_at IS NULL`,
    values: resourceIds === undefined ? [] : [binaryArray('uuid', [...new Set(resourceIds)])],
  });
};
