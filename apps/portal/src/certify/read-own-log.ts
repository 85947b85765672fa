import type { RequestDetails } from '@xs2a/contracts/console.contract';
import type { OwnNotification } from '@xs2a/contracts/push/own-notifications.contract';
import type { Listed, OwnPayment } from '../own-things/own-things.js';
import { readList } from '../own-things/read-list.js';
import type { Credentials } from '../workspace/session.js';
import { type TppApi, workspaceAgent } from '../workspace/tpp-api.js';
import { headerOf, type OwnLog } from './own-log.js';

/** The maximum number of pages that Certify reads of each list: up to 500 calls, 500 notifications and 500 payments. */
const maxPages = 10;
/**
 * The operations with which the workspace provokes a situation; Certify evaluates these calls. Other calls of the
 * workspace, such as calls from Try it, show nothing about the application.
 */
const provoking: ReadonlySet<string> = new Set(['expirePayment', 'visit']);
const isOfWorkspace = (call: RequestDetails): boolean =>
  headerOf(call, 'user-agent') === workspaceAgent && !provoking.has(call.operation);

/**
 * Reads what the TPP did in the last 24 hours. `sinceMs`: leaves out what happened before, in epoch milliseconds. `nowMs`:
 * real time. `inboxes`: the beginning of the addresses of inboxes, which accept everything in place of an application.
 */
export const readOwnLog = async (
  api: Pick<TppApi, 'send'>,
  tpp: Credentials,
  { sinceMs, nowMs, inboxes }: { readonly sinceMs: number; readonly nowMs: number; readonly inboxes: string },
): Promise<OwnLog> => {
  const isSince = (instant: string): boolean => Date.parse(instant) >= sinceMs;
  const [calls, notifications, payments] = await Promise.all([
    readPages(
      async (cursor) => readList<RequestDetails>(api, tpp, 'requests', cursor, { withContent: 'true' }),
      ({ time }) => isSince(time),
    ),
    readPages(
      async (cursor) => readList<OwnNotification>(api, tpp, 'notifications', cursor),
      ({ createdAt }) => isSince(createdAt),
    ),
    readPages(
      async (cursor) => readList<OwnPayment>(api, tpp, 'payments', cursor),
      () => true,
    ),
  ]);
  // Calls without stored headers are excluded: the workspace may have sent them, and they may lack what a situation
  // requires.
  const stored = calls.items.filter(({ request }) => request !== undefined);
  return {
    calls: stored.filter((call) => !isOfWorkspace(call)).toReversed(),
    ofWorkspace: stored.filter(isOfWorkspace),
    isWhole: calls.isWhole,
    notStored: calls.items.length - stored.length,
    notifications: notifications.items.filter(({ uri }) => !uri.startsWith(inboxes)),
    payments: payments.items,
    nowMs,
  };
};

/** Reads the pages of a list, newest item first, up to the first item that is not wanted. */
const readPages = async <Item>(
  read: (cursor: string | undefined) => Promise<Listed<Item>>,
  isWanted: (item: Item) => boolean,
): Promise<{ readonly items: readonly Item[]; readonly isWhole: boolean }> => {
  const found: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { items, next } = await read(cursor);
    const wanted = items.filter(isWanted);
    found.push(...wanted);
    if (next === undefined || wanted.length < items.length) return { items: found, isWhole: true };
    cursor = next;
  }
  return { items: found, isWhole: false };
};
