import { callFailed } from '@xs2a/domain/failure/failed';
import type { TokenRule } from '../endpoint-rules.js';
import type { CallerCheck } from './check.js';
import type { AccessToken } from './token/access-tokens.js';

/**
 * The token is of the kind that opens the endpoint; one of another kind is 401 `TOKEN_INVALID`:
 * - it has the scope of the endpoint.
 * - it is an application's, or a PSU's, as the endpoint wants.
 * - it names a consent where the endpoint serves one.
 * - where the endpoint serves one consent to its TPP, the PSU's token of that consent will do too.
 */
export const checkScope: CallerCheck = ({ token }, rule) => {
  if (!isOfKind(token, rule)) throw callFailed('tokenOfWrongKind');
};

const isOfKind = ({ grant, scopes, consentId }: AccessToken, rule: TokenRule): boolean => {
  if (rule.scope !== undefined && !scopes.includes(rule.scope)) return false;
  if (rule.orOfConsentInPath === true && grant === 'user' && consentId !== undefined) return true;
  return grant === rule.grant && (!rule.ofConsent || consentId !== undefined);
};
