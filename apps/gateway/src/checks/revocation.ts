import { introspectToken } from '@xs2a/contracts/auth.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { CallerCheck } from './check.js';
import { parseCredentials } from './token/credentials.js';

/**
 * The token's grant must still be valid (contract 4):
 * - it was revoked: 401 `TOKEN_INVALID`.
 * - a gateway that has not yet read the earlier revocations asks the authorization server, except about a blocked
 * TPP, which {@link checkTpp} rejects in any case.
 */
export const checkRevocation: CallerCheck = async ({ tpp, token }, _rule, { request, sources }) => {
  const { revocations, callClient } = sources;
  if (revocations.isRevoked(token.grantId)) throw callFailed('tokenRevoked');
  if (revocations.isLoaded || tpp.status === 'blocked') return;
  const sent = parseCredentials(request.headers.authorization).token;
  const { active } = await callClient.call(introspectToken, { token: sent });
  if (!active) throw callFailed('tokenRevoked');
};
