import { callFailed } from '@xs2a/domain/failure/failed';
import type { TokenRule } from '../endpoint-rules.js';
import type { CallerCheck } from './check.js';
import type { AccessToken } from './token/access-tokens.js';

/**
 * The token must be of the kind that the endpoint requires; otherwise 401 `TOKEN_INVALID`:
 * - it has the scope of the endpoint.
 * - it is an application token or a PSU token, as the endpoint requires.
 * - it names a consent if the endpoint serves one.
 * - if the endpoint serves one consent to its TPP, the PSU token of that consent is accepted as well.
 */
export const checkScope: CallerCheck = ({ token }, rule) => {
  if (!isOfKind(token, rule)) throw callFailed('tokenOfWrongKind');
};

const isOfKind = ({ grant, scopes, consentId }: AccessToken, rule: TokenRule): boolean => {
  if (rule.scope !== undefined && !scopes.includes(rule.scope)) return false;
  if (rule.orOfConsentInPath === true && grant === 'user' && consentId !== undefined) return true;
  return grant === rule.grant && (!rule.ofConsent || consentId !== undefined);
};
