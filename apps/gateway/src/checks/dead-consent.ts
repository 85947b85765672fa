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
 * The failure to return when a check has failed. If the consent that the token names is dead, that failure wins
 * (contract 3). The consents service is asked only if:
 * - the caller is known; before that, consents do not count.
 * - the endpoint is not the consent's own, because a dead consent can still be read and ended (contract 4).
 * - the failure is not that a service is down or that the TPP has too many requests in progress.
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
