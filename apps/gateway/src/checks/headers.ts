import { CallFailed } from '@xs2a/domain/failure/failed';
import { namesConsent, tokenRule } from '../endpoint-rules.js';
import type { Check } from './check.js';
import { readHeaders } from './headers/request-headers.js';

/**
 * Validates the headers of contract 2 and reports all violations together ({@link readHeaders}):
 * - a value is malformed, or a header is repeated: 400 `FORMAT_ERROR`.
 * - the id or the time of a question about a payee is missing: 400 `FORMAT_ERROR`; the time is not now: 400
 * `TIMESTAMP_INVALID`.
 * - `Consent-ID` differs from the consent of the token: 400 `CONSENT_UNKNOWN`.
 * - `X-API-Version` names an unpublished version: 400 `PARAMETER_NOT_SUPPORTED`.
 */
export const checkHeaders: Check = ({ request, edge, sources: { sandbox, receivers, clock } }) => {
  const { rule } = edge;
  const found = readHeaders(request.raw, {
    rule,
    registered: request.caller?.tpp.redirectUris ?? [],
    sandbox,
    receivers,
    nowMs: clock.nowMs(),
    consentId: namesConsent(tokenRule(rule)) ? request.caller?.token.consentId : undefined,
  });
  if ('failures' in found) throw new CallFailed(found.failures);
  edge.headers = found.headers;
};
