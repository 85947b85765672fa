import { readConsentStatus } from '@xs2a/contracts/consents.contract';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import type { FailureName } from '@xs2a/domain/failure/failures';
import { tokenRule } from '../endpoint-rules.js';
import type { CheckedCall } from './check.js';

const deadConsent: Readonly<Partial<Record<ConsentStatus, FailureName>>> = {
  expired: 'consentExpired',
  rejected: 'consentInvalid',
  revokedByPsu: 'consentInvalid',
  terminatedByTpp: 'consentInvalid',
};

const asksNobody: ReadonlySet<FailureName | undefined> = new Set(['dependencyDown', 'shareExceeded']);

/**
 * Returns the failure to report when a check has failed. If the consent named in the token has ended, that failure
 * takes precedence (contract 3). The consents service is asked only if:
 * - the caller is known, because consents are irrelevant before that.
 * - the endpoint is not one of the consent's own, because a consent can still be read and deleted after it has
 * ended (contract 4).
 * - the failure is neither a service that is down nor a TPP with too many requests in progress.
 */
export const deadConsentFirst = async (
  error: unknown,
  { request: { caller }, edge: { rule }, sources }: CheckedCall,
): Promise<unknown> => {
  if (!(error instanceof CallFailed) || asksNobody.has(error.failures[0]?.failure)) return error;
  const consentId = caller?.token.consentId;
  if (consentId === undefined || tokenRule(rule)?.orOfConsentInPath === true) return error;
  try {
    const tppId = caller?.token.clientId ?? '';
    const { consentStatus } = await sources.callClient.call(readConsentStatus, { tppId, consentId });
    const failure = deadConsent[consentStatus];
    return failure === undefined ? error : callFailed(failure);
  } catch (unknownStatus) {
    if (unknownStatus instanceof CallFailed) return error;
    throw unknownStatus;
  }
};
