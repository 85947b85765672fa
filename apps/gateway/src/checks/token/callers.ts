import { Inject, Injectable } from '@nestjs/common';
import type { TppRecord } from '@xs2a/contracts/auth.contract';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import type { FastifyRequest } from 'fastify';
import { type AccessToken, AccessTokens, TokenExpired } from './access-tokens.js';
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
 * Identifies the caller of a request by its access token, sent as Bearer (RFC 6750) or DPoP (RFC 9449).
 * Later checks cover roles and scopes.
 */
@Injectable()
export class Callers {
  constructor(
    @Inject(AccessTokens) private readonly tokens: Pick<AccessTokens, 'check'>,
    @Inject(TppDirectory) private readonly tpps: Pick<TppDirectory, 'find' | 'refresh'>,
    @Inject(DpopProofs) private readonly proofs: Pick<DpopProofs, 'check'>,
  ) {}

  /**
   * Throws CallFailed:
   * - there is no token: 401 `TOKEN_UNKNOWN`.
   * - the token was not signed by the bank, or its claims are not those of an access token: 401 `TOKEN_UNKNOWN`.
   * - the token has expired: 401 `TOKEN_EXPIRED`.
   * - the token is bound to a key, and the proof in `DPoP` is invalid: 401 `TOKEN_INVALID`.
   * - the TPP of the token is not registered: 401 `TOKEN_UNKNOWN`.
   * - the keys or the store of used proofs cannot be reached: 503.
   */
  async identify(request: SentToken): Promise<Caller> {
    const { tokens, proofs, tpps } = this;
    const { headers, method, originalUrl: url } = request;
    const credentials = parseCredentials(headers.authorization);
    const token = await tokens.check(credentials.token).catch((error: unknown) => {
      // The record of the call names the TPP also then.
      if (error instanceof TokenExpired && request.edge !== undefined) request.edge.token = error.token;
      throw error;
    });
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

  /**
   * Returns the first of the tokens that the bank issued, even if the token has expired. The token does not
   * authenticate the call.
   */
  async firstIssued(tokens: readonly string[]): Promise<AccessToken | undefined> {
    for (const token of tokens) {
      try {
        return await this.tokens.check(token);
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        if (error instanceof TokenExpired) return error.token;
      }
    }
    return undefined;
  }
}
