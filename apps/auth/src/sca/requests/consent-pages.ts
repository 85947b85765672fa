import {
  type ConsentAuthorisation,
  consentAuthorisation,
  type ConsentAuthorisationRef,
} from '@xs2a/contracts/consents.contract';
import { awaitsAuthorisation } from '@xs2a/domain/consent/consent-transitions';
import { authorisationIn, isOpenAuthorisation } from '@xs2a/domain/sca/authorisations';
import type { Outcome } from '../page-sessions.js';
import { consentRows, isOutdated, isToBePicked, openedBy } from '../review/consent-review.js';
import { signedOutcome } from './outcomes.js';
import type { SignablePages } from './signable-request.js';

export const tooLate: Outcome = { kind: 'failed', reason: 'no-longer-possible' };

/** The pages of consents. */
export const consentPages: SignablePages<ConsentAuthorisationRef, ConsentAuthorisation> = {
  calls: consentAuthorisation,
  linkedState: (consent, { authorisationId }) => {
    const authorisation = authorisationIn(consent, authorisationId);
    return {
      tppId: consent.tppId,
      expiresAt: consent.expiresAt,
      redirectUris: authorisation?.redirectUris ?? consent.redirectUris,
      isOpen:
        awaitsAuthorisation(consent.consentStatus) &&
        authorisation !== undefined &&
        isOpenAuthorisation(authorisation),
      isGrouped: consent.isGrouped,
      isTaken: consent.signedBy.length > 0,
      isRejected: consent.consentStatus === 'rejected',
      isCancelled: consent.consentStatus === 'terminatedByTpp',
      signedBy: consent.signedBy,
      signaturesMissing: consent.signaturesMissing,
      closed: 'used',
      psuId: authorisation?.psuId,
    };
  },
  review: (consent, { profile }) => ({
    kind: 'consent',
    picksAccounts: isToBePicked(consent),
    namedAccounts: 'all',
    isOutdated: (state) => isOutdated(consent, state),
    rows: (state, language, names) => consentRows(consent, state, { language, profile, names }),
    content: (state) => ({
      kind: 'consent',
      resourceId: consent.consentId,
      accounts: [...openedBy(consent, state).keys()],
    }),
    chosenIbans: (state) => (consent.psuPicksAccounts ? [...openedBy(consent, state).keys()] : undefined),
  }),
  tooLate,
  decided: ({ consentStatus, signedBy, signaturesMissing }, { psuId: signer }, psuId) => {
    const isGranted =
      signedBy.includes(psuId) && (consentStatus === 'valid' || consentStatus === 'partiallyAuthorised');
    if (isGranted) return signedOutcome(signaturesMissing);
    return signer === psuId ? tooLate : undefined;
  },
};
