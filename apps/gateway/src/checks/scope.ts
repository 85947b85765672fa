import { callFailed } from '@xs2a/domain/failure/failed';
import type { TokenRule } from '../endpoint-rules.js';
import type { CallerCheck } from './check.js';
import type { AccessToken } from './token/access-tokens.js';

/**
 * The token must be of the kind that the endpoint requires; otherwise 401 `TOKEN_INVALID`:
 * - it must have the scope of the endpoint.
 * - it must be an application token or a PSU token, as the endpoint requires.
 * - it must name a consent if the endpoint requires one.
 * - at the endpoints where a TPP manages one of its consents, the PSU token of that consent is accepted as well.
 */
export const checkScope: CallerCheck = ({ token }, rule) => {
  if (!isOfKind(token, rule)) throw callFailed('tokenOfWrongKind');
};

const isOfKind = ({ grant, scopes, consentId }: AccessToken, rule: TokenRule): boolean => {
  if (rule.scope !== undefined && !scopes.includes(rule.scope)) return false;
  if (rule.orOfConsentInPath === true && grant === 'user' && consentId !== undefined) return true;
  return grant === rule.grant && (!rule.ofConsent || consentId !== undefined);
};
