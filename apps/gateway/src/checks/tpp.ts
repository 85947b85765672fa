import { callFailed } from '@xs2a/domain/failure/failed';
import type { CallerCheck } from './check.js';

/**
 * The TPP must be allowed to use the interface:
 * - it is blocked: 401 `CERTIFICATE_BLOCKED`.
 * - it was blocked after the token was issued, which has invalidated the token permanently: 401 `TOKEN_INVALID`.
 */
export const checkTpp: CallerCheck = ({ tpp, token }) => {
  if (tpp.status === 'blocked') throw callFailed('tppBlocked');
  if (tpp.tokensFrom !== undefined && token.issuedAt < tpp.tokensFrom) throw callFailed('tokenRevoked');
};
