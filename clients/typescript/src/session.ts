import { type Api, createApi } from './api.js';
import type { Connection } from './connection.js';
import { unwrap, Xs2aError } from './error.js';
import type { components, paths } from './generated/euro.js';
import * as oauth from 'openid-client';
import { readTokens, type Tokens, TokenSource } from './tokens.js';

type Schemas = components['schemas'];
export type Transaction = Schemas['Transaction'];
export type TransactionQuery = NonNullable<
  paths['/v1/accounts/{account-id}/transactions']['get']['parameters']['query']
>;

export interface SessionOptions {
  /** The PSU's own address if the PSU requested these calls. Calls without it are limited to four a day. */
  readonly psuIpAddress?: string;
  /**
   * Stores tokens that replace the previous ones, before they are used: the previous refresh token works for one more
   * minute only.
   */
  readonly save?: (tokens: Tokens) => void | Promise<void>;
}

const renewed =
  (connection: Connection, save: SessionOptions['save']) =>
  async (previous: Tokens | undefined): Promise<Tokens> => {
    const refreshToken = previous?.refreshToken;
    if (refreshToken === undefined)
      throw new Xs2aError([{ code: 'TOKEN_EXPIRED', text: 'no refresh token: ask the PSU again' }]);
    // The bank answers a repeated refresh for a minute, so a lost answer loses nothing (contract 4).
    const answer = await connection.ask(true, async ({ config, dpop }) =>
      oauth.refreshTokenGrant(config, refreshToken, undefined, dpop),
    );
    const tokens = readTokens(answer, connection.nowMs(), previous);
    await save?.(tokens);
    return tokens;
  };

/** Begins a session with tokens. */
export const openSession = (
  connection: Connection,
  tokens: Tokens,
  options: SessionOptions = {},
): Session => {
  const source = new TokenSource(renewed(connection, options.save), () => connection.nowMs(), tokens);
  return new Session(connection, source, options.psuIpAddress);
};

/** The calls that a PSU has authorised: reading accounts under a consent, or funds confirmation. */
export class Session {
  /** Any endpoint for tokens of a PSU. */
  readonly api: Api;

  constructor(
    private readonly connection: Connection,
    private readonly source: TokenSource,
    psuIpAddress: string | undefined,
  ) {
    this.api = createApi(
      connection,
      source,
      psuIpAddress === undefined ? {} : { 'PSU-IP-Address': psuIpAddress },
    );
  }

  /** The same session, for calls that the PSU requests from this address now. */
  at(psuIpAddress: string): Session {
    return new Session(this.connection, this.source, psuIpAddress);
  }

  async accounts(
    query: { readonly withBalance?: boolean } = {},
  ): Promise<readonly Schemas['AccountDetails'][]> {
    return unwrap(await this.api.GET('/v1/accounts', { params: { query } })).accounts;
  }

  async balances(accountId: string): Promise<readonly Schemas['Balance'][]> {
    const params = { path: { 'account-id': accountId } };
    return unwrap(await this.api.GET('/v1/accounts/{account-id}/balances', { params })).balances;
  }

  /** All entries of an account, newest first and pending ones before booked ones of a page; reads page by page. */
  async *transactions(accountId: string, query: TransactionQuery = {}): AsyncGenerator<Transaction> {
    let page: TransactionQuery | undefined = query;
    while (page !== undefined) {
      const params = { path: { 'account-id': accountId }, query: page };
      const answer = await this.api.GET('/v1/accounts/{account-id}/transactions', { params });
      const { pending = [], booked = [], _links } = unwrap(answer).transactions;
      yield* pending;
      yield* booked;
      page = queryOf(_links.next?.href);
    }
  }

  /** Whether the account, or the PSU's main account, has this amount available now. */
  async confirmFunds(body: Schemas['FundsRequest']): Promise<boolean> {
    return unwrap(await this.api.POST('/v1/funds-confirmations', { body })).fundsAvailable;
  }
}

/** The query of the bank's link to the next page, which is a path without a host. */
const queryOf = (href: string | undefined): TransactionQuery | undefined => {
  if (href === undefined) return undefined;
  const { searchParams } = new URL(href, 'https://bank.invalid');
  return Object.fromEntries(searchParams) as TransactionQuery;
};
