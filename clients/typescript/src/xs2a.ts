import * as oauth from 'openid-client';
import { type Api, createApi } from './api.js';
import { Consents, Funds } from './authorisation.js';
import { Connection, type Xs2aOptions } from './connection.js';
import { Payments } from './payments.js';
import { type Push, type PushHeaders, PushVerifier } from './push.js';
import { openSession, type Session, type SessionOptions } from './session.js';
import { readTokens, type Tokens, TokenSource } from './tokens.js';

/** A bank's XS2A interface, as one TPP sees it. */
export interface Xs2a {
  readonly payments: Payments<'payments'>;
  readonly periodicPayments: Payments<'periodic-payments'>;
  readonly bulkPayments: Payments<'bulk-payments'>;
  readonly consents: Consents;
  readonly funds: Funds;
  /** Continues with tokens that you stored. */
  session(tokens: Tokens, options?: SessionOptions): Session;
  /** Verifies a status notification: its headers, and its body exactly as received. */
  verifyPush(headers: PushHeaders, body: string | Uint8Array): Promise<Push>;
  /** Any endpoint for your own tokens: of payments and baskets (`PSP_PI`), or of consents (`PSP_AI`). */
  api(scope: 'PSP_PI' | 'PSP_AI'): Api;
}

/** Creates a client for a bank. Nothing is sent before the first call, which reads the bank's discovery document. */
export const createXs2a = (options: Xs2aOptions): Xs2a => {
  const connection = new Connection(options);
  const apiFor = (scope: string): Api => {
    const obtain = async (): Promise<Tokens> => {
      const answer = await connection.ask(true, async ({ config, dpop }) =>
        oauth.clientCredentialsGrant(config, { scope }, dpop),
      );
      return readTokens(answer, connection.nowMs());
    };
    return createApi(connection, new TokenSource(obtain, () => connection.nowMs()));
  };
  const apis = { PSP_PI: apiFor('PSP_PI'), PSP_AI: apiFor('PSP_AI') };
  const push = new PushVerifier(connection);
  return {
    payments: new Payments(connection, apis.PSP_PI, 'payments'),
    periodicPayments: new Payments(connection, apis.PSP_PI, 'periodic-payments'),
    bulkPayments: new Payments(connection, apis.PSP_PI, 'bulk-payments'),
    consents: new Consents(connection, apis.PSP_AI),
    funds: new Funds(connection),
    session: (tokens, more) => openSession(connection, tokens, more),
    verifyPush: async (headers, body) => push.verify(headers, body),
    api: (scope) => apis[scope],
  };
};
