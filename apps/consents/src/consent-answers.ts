import type { ConsentAuthorisation, ConsentView } from '@xs2a/contracts/consents.contract';
import {
  type AccessType,
  accessTypes,
  type AccountAccess,
  type GrantedAccount,
} from '@xs2a/domain/consent/consent-events';
import { awaitsAuthorisation } from '@xs2a/domain/consent/consent-transitions';
import { signaturesMissing, signersOf } from '@xs2a/domain/sca/authorisations';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';

/** As GET /consents/{id} shows it. */
export const viewOf = (state: ConsentState): ConsentView => ({
  access: isGranted(state) ? grantedAccess(state.accounts) : state.access,
  recurringIndicator: state.recurringIndicator,
  validUntil: state.validUntil,
  frequencyPerDay: state.frequencyPerDay,
  combinedServiceIndicator: state.combinedServiceIndicator,
  lastActionDate: state.lastActionDate,
  consentStatus: state.status,
});

const isGranted = ({ status, accounts }: ConsentState): boolean =>
  accounts.length > 0 && status !== 'rejected' && !awaitsAuthorisation(status);

/** As the SCA pages and the authorization server need it. */
export const authorisationOf = (state: ConsentState): ConsentAuthorisation => ({
  consentId: state.consentId,
  authorisations: state.authorisations,
  tppId: state.tppId,
  consentStatus: state.status,
  signedBy: signersOf(state),
  signaturesRequired: state.signaturesRequired,
  signaturesMissing: signaturesMissing(state),
  agreedIbans: signersOf(state).length === 0 ? undefined : state.accounts.map(({ iban }) => iban),
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
