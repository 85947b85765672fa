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
 * The failure to answer with when a check has failed: that of the consent that the token names, if that consent is dead
 * (contract 3), otherwise the failure itself. The consents service is asked only then.
 * - the caller is known: before, no consent counts.
 * - the endpoint is not the consent's own: that can be read and ended although it is dead (contract 4).
 * - the failure is not that a service is down, nor that the TPP has too much under way already.
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
