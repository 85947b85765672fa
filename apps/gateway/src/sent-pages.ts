import {
  type AisCaller,
  type CallForKeptPage,
  type Counted,
  tellKeptPages,
  type TransactionsPage,
} from '@xs2a/contracts/accounts.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type CallContext, callContext } from '@xs2a/messaging/call-context';
import { CallFailed } from '@xs2a/messaging/call-failed';
import type { Requester } from '@xs2a/messaging/requester';
import { BoundedMemory } from '@xs2a/runtime/bounded-memory';
import type { TransactionsRequest } from './account-query.js';
import { Rounds } from './rounds.js';

interface SentPage {
  readonly version: string;
  readonly body: Buffer;
}
type Outcome = AnswerOf<typeof tellKeptPages>['outcomes'][number];

interface Asked {
  readonly call: CallForKeptPage;
  readonly context: CallContext | undefined;
}

/** The first caller's, and the request ids of all others that share the message. */
const contextOfAll = (asked: readonly Asked[]): CallContext | undefined => {
  const [first, ...others] = asked.flatMap(({ context }) => (context === undefined ? [] : [context]));
  if (first === undefined || others.length === 0) return first;
  return { ...first, sharedWith: others.map(({ requestId }) => requestId) };
};

/** The query that a page answers. */
const keyOf = (wanted: TransactionsRequest): string =>
  [
    wanted.resourceId,
    wanted.bookingStatus,
    wanted.dateFrom,
    wanted.dateTo,
    wanted.pageSize,
    wanted.withBalance,
    wanted.deltaList,
    wanted.entryReferenceFrom,
    wanted.cursor,
  ].join(' ');

/**
 * Pages of transactions as they were sent. Each is sent again only when the accounts service has said, of this very call,
 * that its account still stands as it did, and that the consent lets the call through and it is counted. Calls for such
 * pages that come at the same time are asked about in one message.
 */
export class SentPages {
  private readonly pages = new BoundedMemory<SentPage>({ maxBytes: 16 * 1024 * 1024, forMs: 300_000 });
  private readonly rounds: Rounds<Asked, Outcome>;

  constructor(requester: Pick<Requester, 'call'>) {
    this.rounds = new Rounds(async (asked) => {
      const calls = asked.map(({ call }) => call);
      const tell = async () => requester.call(tellKeptPages, { calls });
      const context = contextOfAll(asked);
      return (await (context === undefined ? tell() : callContext.run(context, tell))).outcomes;
    });
  }

  keep(wanted: TransactionsRequest, { version }: TransactionsPage, body: Buffer): void {
    // The same query may be asked for a consent that lets balances through, and for one that does not.
    if (version !== undefined && !wanted.withBalance) this.pages.set(keyOf(wanted), { version, body }, body);
  }

  /** The page, counted; undefined, and nothing counted: it is not here, or not the answer any more. Throws CallFailed. */
  async again(
    caller: AisCaller,
    wanted: TransactionsRequest,
  ): Promise<(Counted & { readonly body: Buffer }) | undefined> {
    const kept = this.pages.get(keyOf(wanted));
    if (kept === undefined) return undefined;
    const { resourceId, dateTo, bookingStatus, cursor } = wanted;
    const { version, body } = kept;
    const call = { ...caller, resourceId, dateTo, bookingStatus, cursor, version };
    const outcome = await this.rounds.add({ call, context: callContext.getStore() });
    if ('changed' in outcome) return undefined;
    if ('failures' in outcome) throw new CallFailed(outcome.failures);
    return { ...outcome.ok, body };
  }
}
