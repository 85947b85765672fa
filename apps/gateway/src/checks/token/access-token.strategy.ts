import { Inject, Injectable } from '@nestjs/common';
import type { TppRecord } from '@xs2a/contracts/auth.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { FastifyRequest } from 'fastify';
import { promisify } from 'node:util';
import { Passport, Strategy } from 'passport';
import { type AccessToken, AccessTokens } from './access-tokens.js';
import { parseCredentials } from './credentials.js';
import { DpopProofs } from './dpop-proofs.js';
import { TppDirectory } from './tpp-directory.js';

/** The caller, as identified by the access token. */
export interface Caller {
  readonly tpp: TppRecord;
  readonly token: AccessToken;
}

type SentToken = Pick<FastifyRequest, 'headers' | 'method' | 'originalUrl'> & {
  readonly edge?: { token?: AccessToken };
};

/**
 * The Passport strategy for access tokens sent as Bearer (RFC 6750) or DPoP (RFC 9449):
 * - there is no token: 401 `TOKEN_UNKNOWN`.
 * - the token was not signed by the bank, or its claims are not those of an access token: 401 `TOKEN_UNKNOWN`.
 * - the token has expired: 401 `TOKEN_EXPIRED`.
 * - the token is bound to a key, and the proof in `DPoP` is invalid: 401 `TOKEN_INVALID`.
 * - the TPP of the token is not registered: 401 `TOKEN_UNKNOWN`.
 * - the keys or the store of used proofs cannot be reached: 503.
 *
 * Later checks cover roles and scopes.
 */
@Injectable()
export class AccessTokenStrategy extends Strategy {
  override readonly name = 'access-token';

  constructor(
    @Inject(AccessTokens) private readonly tokens: Pick<AccessTokens, 'check'>,
    @Inject(TppDirectory) private readonly tpps: Pick<TppDirectory, 'find' | 'refresh'>,
    @Inject(DpopProofs) private readonly proofs: Pick<DpopProofs, 'check'>,
  ) {
    super();
  }

  override authenticate(request: SentToken): void {
    this.identify(request).then(
      (caller) => this.success(caller),
      (error: unknown) => this.error(error),
    );
  }

  private async identify(request: SentToken): Promise<Caller> {
    const { tokens, proofs, tpps } = this;
    const { headers, method, originalUrl: url } = request;
    const credentials = parseCredentials(headers.authorization);
    const token = await tokens.check(credentials.token);
    if (request.edge !== undefined) request.edge.token = token;
    const proof = headers['dpop'];
    await proofs.check(token, {
      ...credentials,
      method,
      url,
      proof: typeof proof === 'string' ? proof : undefined,
    });
    const tpp = tpps.find(token.clientId) ?? (await tpps.refresh(token.clientId));
    if (tpp === undefined) throw callFailed('tokenUnknown');
    return { tpp, token };
  }
}

/**
 * Returns a function that runs the strategy on a request and sets `request.caller`. The function rejects with
 * CallFailed.
 */
export const authenticateWith = (
  strategy: AccessTokenStrategy,
): ((request: FastifyRequest) => Promise<void>) => {
  const options = { session: false, assignProperty: 'caller', authInfo: false };
  const handler: unknown = new Passport().use(strategy).authenticate(strategy.name, options);
  // Passport's types are written for Express, but Passport reads nothing from the request, and does not
  // respond when this strategy rejects it.
  const middleware = handler as (request: FastifyRequest, reply: unknown, next: () => void) => void;
  const run = promisify(middleware);
  return async (request) => run(request, undefined);
};
