import type { ConsentAuthorisation, ConsentView } from '@xs2a/contracts/consents.contract';
import { accessTypes, type AccountAccess, type GrantedAccount } from '@xs2a/domain/consent/consent-events';
import { awaitsAuthorisation, isGroupedConsent } from '@xs2a/domain/consent/consent-transitions';
import { signaturesMissing, listSigners } from '@xs2a/domain/sca/authorisations';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';

/**
 * Returns the consent as shown by GET /consents/{id}, with account references as the TPP sent them or as the PSU
 * picked them (contract 5).
 */
export const toView = (state: ConsentState): ConsentView => ({
  access: state.psuPicksAccounts && isGranted(state) ? pickedAccess(state.accounts) : state.access,
  recurringIndicator: state.recurringIndicator,
  validUntil: state.validUntil,
  frequencyPerDay: state.frequencyPerDay,
  combinedServiceIndicator: state.combinedServiceIndicator,
  lastActionDate: state.lastActionDate,
  consentStatus: state.status,
});

const isGranted = ({ status, accounts }: ConsentState): boolean =>
  accounts.length > 0 && status !== 'rejected' && !awaitsAuthorisation(status);

/** Returns the parts of the consent that the SCA pages and the authorization server need. */
export const toAuthorisation = (state: ConsentState): ConsentAuthorisation => ({
  consentId: state.consentId,
  authorisations: state.authorisations,
  tppId: state.tppId,
  consentStatus: state.status,
  signedBy: listSigners(state),
  signaturesRequired: state.signaturesRequired,
  signaturesMissing: signaturesMissing(state),
  agreedIbans: listSigners(state).length === 0 ? undefined : state.accounts.map(({ iban }) => iban),
  access: state.access,
  psuPicksAccounts: state.psuPicksAccounts,
  recurringIndicator: state.recurringIndicator,
  validUntil: state.validUntil,
  frequencyPerDay: state.frequencyPerDay,
  redirectUris: state.redirectUris,
  expiresAt: state.expiresAt,
  isGrouped: isGroupedConsent(state),
});

/** Returns all three access types for each account that the PSU picked. */
const pickedAccess = (accounts: readonly GrantedAccount[]): AccountAccess => {
  const references = accounts.map(({ iban }) => ({ iban }));
  return Object.fromEntries(accessTypes.map((type) => [type, references]));
};
