import type { RequestDetails } from '@xs2a/contracts/console.contract';
import type { OwnNotification } from '@xs2a/contracts/push/own-notifications.contract';
import type { OwnPayment } from '../own-things/own-things.js';
import { readList } from '../own-things/read-list.js';
import type { Credentials } from '../workspace/session.js';
import type { TppApi } from '../workspace/tpp-api.js';
import type { OwnLog } from './own-log.js';

/** How many pages of calls are read: up to 500 calls. */
const maxPages = 10;

/**
 * Reads what the TPP did in the last 24 hours. `sinceMs`: leaves out what happened before, in epoch milliseconds. `nowMs`:
 * real time. `inboxes`: the beginning of the addresses of inboxes, which accept everything in place of an application.
 */
export const readOwnLog = async (
  api: TppApi,
  tpp: Credentials,
  { sinceMs, nowMs, inboxes }: { readonly sinceMs: number; readonly nowMs: number; readonly inboxes: string },
): Promise<OwnLog> => {
  const [{ calls, isWhole }, notifications, payments] = await Promise.all([
    readCalls(api, tpp, sinceMs),
    readList<OwnNotification>(api, tpp, 'notifications'),
    readList<OwnPayment>(api, tpp, 'payments'),
  ]);
  return {
    calls,
    isWhole,
    notifications: notifications.items.filter(
      ({ createdAt, uri }) => Date.parse(createdAt) >= sinceMs && !uri.startsWith(inboxes),
    ),
    payments: payments.items,
    nowMs,
  };
};

const readCalls = async (
  api: TppApi,
  tpp: Credentials,
  sinceMs: number,
): Promise<Pick<OwnLog, 'calls' | 'isWhole'>> => {
  const calls: RequestDetails[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { items, next } = await readList<RequestDetails>(api, tpp, 'requests', cursor, {
      withContent: 'true',
    });
    const recent = items.filter(({ time }) => Date.parse(time) >= sinceMs);
    calls.push(...recent);
    if (next === undefined || recent.length < items.length)
      return { calls: calls.toReversed(), isWhole: true };
    cursor = next;
  }
  return { calls: calls.toReversed(), isWhole: false };
};
