import type { AnswerOf, Call, RequestOf } from '@xs2a/contracts/call';
import {
  readBundleEvents,
  type signBundle,
  type StoredBundleEvent,
} from '@xs2a/contracts/dispute-bundle.contract';
import { listNotifications, maxListed, notificationStates } from '@xs2a/contracts/notifications.contract';
import { readUnfinishedTransactions } from '@xs2a/contracts/settlement.contract';
import { bundleText, digestBundle, listMissing, readableEvent } from './bundle-file.js';

/** Calls a service. Throws CallFailed. */
export type AskService = <Request, Answer>(call: Call<Request, Answer>, request: Request) => Promise<Answer>;

/** Has the authorization server sign. */
type Sign = (asked: RequestOf<typeof signBundle>) => Promise<AnswerOf<typeof signBundle>>;

/** Thrown for a payment without a bundle. The message may be shown. */
export class NoBundle extends Error {
  override readonly name = 'NoBundle';
}

interface ReadEvents {
  readonly key: string | null;
  readonly events: readonly StoredBundleEvent[];
}

const readEvents = async (ask: AskService, paymentId: string): Promise<ReadEvents> => {
  const events: StoredBundleEvent[] = [];
  for (;;) {
    const part = await ask(readBundleEvents, { paymentId, after: events.at(-1)?.version ?? 0 });
    if (part.outcome === 'erased')
      throw new NoBundle('The personal data of this payment are erased: there is nothing to export.');
    if (part.outcome === 'unknown')
      throw new NoBundle('The database has no payment with this id. It may be in the archive.');
    events.push(...part.events);
    if (!part.hasMore) return { key: part.key, events };
  }
};

/**
 * Collects everything about one payment and has it signed. Returns the text of the file. Throws {@link NoBundle}, and
 * CallFailed if one of the services does not answer: a bundle is complete or does not exist.
 */
export const assembleBundle = async (
  paymentId: string,
  { ask, sign }: { readonly ask: AskService; readonly sign: Sign },
): Promise<string> => {
  const { key, events: stored } = await readEvents(ask, paymentId);
  const [{ transactions: unfinished }, { notifications: pushes }] = await Promise.all([
    ask(readUnfinishedTransactions, { limit: 500, paymentId }),
    ask(listNotifications, { states: notificationStates, resourceId: paymentId, limit: maxListed }),
  ]);
  const events = stored.map((event) => readableEvent(event, paymentId, key));
  const missing = [
    ...listMissing(events),
    ...(pushes.length === maxListed ? [`Only the first ${maxListed} notifications are included.`] : []),
  ];
  const content = { paymentId, key, events, unfinished, pushes, missing };
  const { signature } = await sign({ paymentId, contentSha256: digestBundle(content) });
  return bundleText(content, signature);
};
