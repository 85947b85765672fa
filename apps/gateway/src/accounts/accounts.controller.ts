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
import { type AisEndpoint, checkAccess } from '@xs2a/contracts/consents.contract';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { PROFILE } from '@xs2a/runtime/tokens';
import type { FastifyReply } from 'fastify';
import { accountJson, balanceJson, transactionJson, transactionsJson } from './account-json.js';
import { type Checked, readTransactionsQuery, readWithBalance } from './account-query.js';
import { requireCaller, type EdgeRequest, requireHeaders, parseId } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';

type Json = Readonly<Record<string, unknown>>;

/** The content type that Fastify sends for JSON that it serialises itself. */
const jsonType = 'application/json; charset=utf-8';

/** Accounts (spec 4.4): calls the accounts service and returns its responses in Berlin Group format. */
@Controller()
export class AccountsController {
  constructor(
    private readonly callClient: CallClient,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Endpoint('listAccounts')
  async list(@Req() request: EdgeRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Json> {
    const withBalance = await this.checked(request, 'accounts', readWithBalance(request.query));
    const answer = await this.callClient.call(listAccounts, { ...toAisCaller(request), withBalance });
    sendRemaining(reply, answer);
    return { accounts: answer.accounts.map((account) => accountJson(account, this.profile.bank.bic)) };
  }

  @Endpoint('readAccount')
  async read(@Req() request: EdgeRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Json> {
    const withBalance = await this.checked(request, 'account', readWithBalance(request.query));
    const answer = await this.callClient.call(readAccount, {
      ...toAisCaller(request),
      resourceId: parseAccountId(request),
      withBalance,
    });
    sendRemaining(reply, answer);
    return { account: accountJson(answer.account, this.profile.bank.bic) };
  }

  @Endpoint('readBalances')
  async readBalances(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json> {
    const answer = await this.callClient.call(readBalances, {
      ...toAisCaller(request),
      resourceId: parseAccountId(request),
    });
    sendRemaining(reply, answer);
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
    const caller = toAisCaller(request);
    const query = readTransactionsQuery(request.query, {
      resourceId: parseAccountId(request),
      today: this.clock.date(this.profile.timeZone),
      tokenIsFresh: caller.tokenIsFresh,
    });
    const wanted = await this.checked(request, 'transactions', query);
    const answer = await this.callClient.call(listTransactions, { ...caller, ...wanted });
    sendRemaining(reply, answer);
    reply.type(jsonType);
    return transactionsJson(answer, wanted);
  }

  @Endpoint('readTransaction')
  async readTransaction(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const transactionId = request.params['transactionId'] ?? '';
    const answer = await this.callClient.call(readTransaction, {
      ...toAisCaller(request),
      resourceId: parseAccountId(request),
      transactionId: /^[A-Za-z0-9-]{1,35}$/.test(transactionId) ? transactionId : '-',
    });
    sendRemaining(reply, answer);
    reply.type(jsonType);
    return transactionJson(answer);
  }

  /**
   * If the query is invalid, checks the consent and the account first, because a consent or account that forbids
   * the call takes precedence over an invalid query (contract 3).
   */
  private async checked<Value>(
    request: EdgeRequest,
    endpoint: AisEndpoint,
    query: Checked<Value>,
  ): Promise<Value> {
    if ('value' in query) return query.value;
    throw new CallFailed((await this.accessFailures(request, endpoint)) ?? query.failures);
  }

  /**
   * The reason why the consent or the account forbids the call; undefined if the call is permitted or if this
   * cannot be determined at the moment.
   */
  private async accessFailures(
    request: EdgeRequest,
    endpoint: AisEndpoint,
  ): Promise<readonly Failure[] | undefined> {
    const { tppId, consentId } = toAisCaller(request);
    const resourceId = endpoint === 'accounts' ? undefined : parseAccountId(request);
    try {
      await this.callClient.call(checkAccess, { tppId, consentId, endpoint, resourceId });
      return undefined;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      return error.failures[0]?.failure === 'dependencyDown' ? undefined : error.failures;
    }
  }
}

const toAisCaller = (request: EdgeRequest): AisCaller => {
  const { token } = requireCaller(request);
  const { psuIpAddress } = requireHeaders(request);
  return {
    tppId: token.clientId,
    consentId: token.consentId ?? '',
    tokenIsFresh: token.fresh,
    callId: newId(),
    psuIpAddress,
  };
};

const parseAccountId = (request: EdgeRequest): string => parseId(request.params['accountId']);

/** Adds the number of unattended calls that remain today, if this call was counted. */
const sendRemaining = (reply: FastifyReply, { unattendedRemaining }: Counted): void => {
  if (unattendedRemaining !== undefined) reply.header('x-unattended-remaining', String(unattendedRemaining));
};
