import type { ConsentAuthorisation, ConsentView } from '@xs2a/contracts/consents.contract';
import {
  type AccessType,
  accessTypes,
  type AccountAccess,
  type GrantedAccount,
} from '@xs2a/domain/consent/consent-events';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';

/** As GET /consents/{id} shows it. */
export const viewOf = (state: ConsentState): ConsentView => ({
  access: state.accounts.length === 0 ? state.access : grantedAccess(state.accounts),
  recurringIndicator: state.recurringIndicator,
  validUntil: state.validUntil,
  frequencyPerDay: state.frequencyPerDay,
  combinedServiceIndicator: state.combinedServiceIndicator,
  lastActionDate: state.lastActionDate,
  consentStatus: state.status,
  authorisationId: state.authorisation.authorisationId,
});

/** As the SCA pages and the authorization server need it. */
export const authorisationOf = (state: ConsentState): ConsentAuthorisation => ({
  consentId: state.consentId,
  authorisationId: state.authorisation.authorisationId,
  tppId: state.tppId,
  scaStatus: state.authorisation.scaStatus,
  consentStatus: state.status,
  namedPsuId: state.namedPsuId,
  psuCorporateId: state.psuCorporateId,
  psuId: state.authorisation.psuId,
  access: state.access,
  psuPicksAccounts: state.psuPicksAccounts,
  recurringIndicator: state.recurringIndicator,
  validUntil: state.validUntil,
  frequencyPerDay: state.frequencyPerDay,
  redirectUris: state.redirectUris,
  expiresAt: state.expiresAt,
});

/** Grants by account, told by access type; types that nothing was granted for are absent. */
const grantedAccess = (accounts: readonly GrantedAccount[]): AccountAccess => {
  const granted = (type: AccessType): readonly string[] =>
    accounts.filter(({ access }) => access.includes(type)).map(({ iban }) => iban);
  return Object.fromEntries(
    accessTypes.map((type) => [type, granted(type)] as const).filter(([, ibans]) => ibans.length > 0),
  );
};
