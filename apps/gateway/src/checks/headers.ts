import { CallFailed } from '@xs2a/domain/failure/failed';
import { namesConsent, tokenRule } from '../endpoint-rules.js';
import type { Check } from './check.js';
import { readHeaders } from './headers/request-headers.js';

/**
 * Validates the headers of contract 2 and reports all violations together ({@link readHeaders}):
 * - a value is malformed, or a header is repeated: 400 `FORMAT_ERROR`.
 * - `Consent-ID` differs from the consent of the token: 400 `CONSENT_UNKNOWN`.
 * - `X-API-Version` names an unpublished version: 400 `PARAMETER_NOT_SUPPORTED`.
 */
export const checkHeaders: Check = ({ request, edge, sources: { sandbox, receivers } }) => {
  const { rule } = edge;
  const found = readHeaders(request.raw, {
    rule,
    registered: request.caller?.tpp.redirectUris ?? [],
    sandbox,
    receivers,
    consentId: namesConsent(tokenRule(rule)) ? request.caller?.token.consentId : undefined,
  });
  if ('failures' in found) throw new CallFailed(found.failures);
  edge.headers = found.headers;
};
