import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  type AisCaller,
  type Counted,
  listAccounts,
  listTransactions,
  readAccount,
  readBalances,
  readTransaction,
} from '@xs2a/contracts/accounts.contract';
import { type AisEndpoint, claimAccess, releaseAccess } from '@xs2a/contracts/consents.contract';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CallFailed } from '@xs2a/messaging/call-failed';
import { Requester } from '@xs2a/messaging/requester';
import { BoundedMemory } from '@xs2a/runtime/bounded-memory';
import { Clock } from '@xs2a/runtime/clock';
import { PROFILE } from '@xs2a/runtime/tokens';
import type { FastifyReply } from 'fastify';
import { accountJson, balanceJson, transactionJson, transactionsJson } from './account-json.js';
import {
  type Checked,
  readTransactionsQuery,
  readWithBalance,
  type TransactionsRequest,
} from './account-query.js';
import { callerOf, type EdgeRequest, headersOf, idOf } from './edge/edge-request.js';
import { Endpoint } from './endpoint.js';

type Json = Readonly<Record<string, unknown>>;

/** As Fastify names what it writes itself. */
const jsonType = 'application/json; charset=utf-8';

interface SentPage {
  readonly tag: string;
  readonly body: Buffer;
}

/** The query that a page answers. */
const pageKey = (wanted: TransactionsRequest): string =>
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

/** Accounts (spec 4.4): asks the accounts service, and puts its answers into the Berlin Group's form. */
@Controller()
export class AccountsController {
  /**
   * Pages as they were sent, each sent again only when the accounts service has said, of this very call and after the
   * consent let it through, that the page is still the one of this tag: it need not travel twice.
   */
  private readonly pages = new BoundedMemory<SentPage>({ mostBytes: 16 * 1024 * 1024, forMs: 300_000 });

  constructor(
    private readonly requester: Requester,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Endpoint('listAccounts')
  async list(@Req() request: EdgeRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Json> {
    const withBalance = await this.checked(request, 'accounts', readWithBalance(request.query));
    const answer = await this.requester.call(listAccounts, { ...aisCallerOf(request), withBalance });
    tellRemaining(reply, answer);
    return { accounts: answer.accounts.map(accountJson) };
  }

  @Endpoint('readAccount')
  async read(@Req() request: EdgeRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Json> {
    const withBalance = await this.checked(request, 'account', readWithBalance(request.query));
    const answer = await this.requester.call(readAccount, {
      ...aisCallerOf(request),
      resourceId: accountIdOf(request),
      withBalance,
    });
    tellRemaining(reply, answer);
    return { account: accountJson(answer.account) };
  }

  @Endpoint('readBalances')
  async readBalances(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json> {
    const answer = await this.requester.call(readBalances, {
      ...aisCallerOf(request),
      resourceId: accountIdOf(request),
    });
    tellRemaining(reply, answer);
    return {
      account: { iban: answer.iban, currency: answer.currency },
      balances: answer.balances.map(balanceJson),
    };
  }

  @Endpoint('listTransactions')
  async listTransactions(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const caller = aisCallerOf(request);
    const query = readTransactionsQuery(request.query, {
      resourceId: accountIdOf(request),
      today: this.clock.date(this.profile.timeZone),
      tokenIsFresh: caller.tokenIsFresh,
    });
    const wanted = await this.checked(request, 'transactions', query);
    const key = pageKey(wanted);
    const kept = this.pages.get(key);
    const answer = await this.requester.call(listTransactions, { ...caller, ...wanted, known: kept?.tag });
    tellRemaining(reply, answer);
    reply.type(jsonType);
    if ('unchanged' in answer) {
      if (kept === undefined) throw new Error('a page is unchanged that was never here');
      return kept.body;
    }
    const body = transactionsJson(answer, wanted);
    if (answer.tag !== undefined) this.pages.set(key, { tag: answer.tag, body }, body);
    return body;
  }

  @Endpoint('readTransaction')
  async readTransaction(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const transactionId = request.params['transactionId'] ?? '';
    const answer = await this.requester.call(readTransaction, {
      ...aisCallerOf(request),
      resourceId: accountIdOf(request),
      transactionId: /^[A-Za-z0-9-]{1,35}$/.test(transactionId) ? transactionId : '-',
    });
    tellRemaining(reply, answer);
    reply.type(jsonType);
    return transactionJson(answer);
  }

  /** A wrong query comes after a consent and an account that forbid the call (contract 3): those are asked then. */
  private async checked<Value>(
    request: EdgeRequest,
    endpoint: AisEndpoint,
    query: Checked<Value>,
  ): Promise<Value> {
    if ('value' in query) return query.value;
    throw new CallFailed((await this.accessFailures(request, endpoint)) ?? query.failures);
  }

  /** Why the call would not be allowed, its counters aside; nothing is counted. */
  private async accessFailures(
    request: EdgeRequest,
    endpoint: AisEndpoint,
  ): Promise<readonly Failure[] | undefined> {
    const { tppId, consentId } = aisCallerOf(request);
    try {
      const { claimId } = await this.requester.call(claimAccess, {
        tppId,
        consentId,
        endpoint,
        psuPresent: true,
        ...(endpoint === 'accounts' ? {} : { resourceId: accountIdOf(request) }),
      });
      if (claimId !== undefined) await this.requester.call(releaseAccess, { claimId });
      return undefined;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      const ofAccess = error.failures.filter(
        ({ failure }) => failure !== 'accessExceeded' && failure !== 'dependencyDown',
      );
      return ofAccess.length > 0 ? ofAccess : undefined;
    }
  }
}

const aisCallerOf = (request: EdgeRequest): AisCaller => {
  const { token } = callerOf(request);
  const { psuIpAddress } = headersOf(request);
  return {
    tppId: token.clientId,
    consentId: token.consentId ?? '',
    tokenIsFresh: token.fresh,
    ...(psuIpAddress === undefined ? {} : { psuIpAddress }),
  };
};

const accountIdOf = (request: EdgeRequest): string => idOf(request.params['accountId']);

/** How many calls without the PSU are left today, when this one was counted. */
const tellRemaining = (reply: FastifyReply, { unattendedRemaining }: Counted): void => {
  if (unattendedRemaining !== undefined) reply.header('x-unattended-remaining', String(unattendedRemaining));
};
