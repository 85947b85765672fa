import type { QueuedNotification } from '@xs2a/contracts/notifications.contract';
import { counted, table } from '../command-line/output.js';

export const notificationsText = (all: readonly QueuedNotification[]): string =>
  table(
    all,
    {
      notification: ({ id }) => id,
      state: ({ state }) => state,
      TPP: ({ tppId }) => tppId,
      of: ({ resourceId }) => resourceId,
      tells: ({ tells }) => tells,
      since: ({ createdAt }) => createdAt,
      failures: ({ failures }) => failures,
      'next try': ({ nextTryAt }) => nextTryAt,
      reason: ({ reason }) => reason,
      to: ({ uri }) => uri,
    },
    'No such notifications.',
  );

export const replayedText = (asked: readonly string[], replayed: readonly string[]): string => {
  const missing = asked.filter((id) => !replayed.includes(id));
  return [
    `✓ ${counted(replayed.length, 'notification')} will be sent again`,
    ...missing.map((id) => `✗ ${id}: there is no such dead letter, or it no longer exists`),
  ].join('\n');
};
