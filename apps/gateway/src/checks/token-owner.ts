import { CallFailed } from '@xs2a/domain/failure/failed';
import type { FastifyRequest } from 'fastify';
import type { CheckSources } from './check.js';
import type { AccessToken } from './token/access-tokens.js';
import { parseCredentials } from './token/credentials.js';

const tokenInHeader = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined => {
  try {
    return parseCredentials(headers.authorization).token;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return undefined;
  }
};

/**
 * Returns the token in the header and the first token in the URL. Further tokens in the URL are ignored, because the
 * gateway verifies a signature for every token, which costs CPU time.
 */
const tokensIn = (request: Pick<FastifyRequest, 'headers' | 'url'>): readonly string[] => {
  const query = new URLSearchParams(request.url.split('?').slice(1).join('?'));
  return [tokenInHeader(request), query.get('access_token')].filter((token) => typeof token === 'string');
};

/**
 * Identifies the TPP of a call that the gateway refused before the token check, so that the log of this TPP lists the
 * call (contract 13). Returns the first token in the call that the bank issued. The token may have expired, and does
 * not authenticate the call. Returns undefined outside a sandbox, and for a call that occupies no share.
 */
export const tokenOwner = async (
  request: Pick<FastifyRequest, 'headers' | 'url'> & {
    readonly share: Pick<NonNullable<FastifyRequest['share']>, 'isExceeded'> | undefined;
  },
  {
    sandbox,
    callers,
  }: Pick<CheckSources, 'sandbox'> & { readonly callers: Pick<CheckSources['callers'], 'firstIssued'> },
): Promise<AccessToken | undefined> =>
  sandbox && request.share?.isExceeded === false ? callers.firstIssued(tokensIn(request)) : undefined;
