import { listPsuAccounts } from '@xs2a/contracts/accounts.contract';
import {
  authoriseConsent,
  type ConsentAuthorisation,
  readConsentAuthorisation,
  rejectConsent,
} from '@xs2a/contracts/consents.contract';
import { accessTypes } from '@xs2a/domain/consent/consent-events';
import type { FailureName } from '@xs2a/domain/failure/failures';
import { hasPassed } from '@xs2a/domain/time/bank-calendar';
import { CallFailed } from '@xs2a/messaging/call-failed';
import { Requester } from '@xs2a/messaging/requester';
import { isUuid } from '../oauth/consent-authority.js';
import type { Approval, Closed, Row } from './approval.js';
import { catalogues, type Language } from './catalogue/catalogue.js';
import { accountFigure } from './figures.js';
import { html } from '@xs2a/html/html';
import { dateText } from './language.js';
import type { Outcome, PageState } from './page-sessions.js';
import { originOf } from './page.js';
import { type ApprovalParts, unlessTooLate } from './payment-approval.js';

export interface ConsentLink {
  readonly consentId: string;
  readonly authorisationId: string;
}
type ShownConsent = Pick<
  ConsentAuthorisation,
  'access' | 'psuPicksAccounts' | 'recurringIndicator' | 'validUntil' | 'frequencyPerDay'
>;

/** The IBANs that it opens, each with what for: those asked for, or those that the PSU chose. */
const openedBy = (
  consent: ShownConsent,
  state: Pick<PageState, 'chosenIbans'>,
): Map<string, readonly string[]> => {
  if (consent.psuPicksAccounts) return new Map((state.chosenIbans ?? []).map((iban) => [iban, accessTypes]));
  const ibans = new Set(accessTypes.flatMap((type) => consent.access[type] ?? []));
  return new Map(
    [...ibans].map((iban) => [iban, accessTypes.filter((type) => consent.access[type]?.includes(iban))]),
  );
};

/** What the PSU reads before granting: who, which accounts, what, for how long, how often (contract 12). */
export const consentRows = (
  consent: ShownConsent,
  state: Pick<PageState, 'chosenIbans'>,
  tppName: string,
  language: Language,
  timeZone: string,
): readonly Row[] => {
  const { row, value } = catalogues[language];
  const wordOf = (type: string): string =>
    value.access[accessTypes.find((one) => one === type) ?? 'accounts'];
  const accounts = [...openedBy(consent, state)].map(
    ([iban, types]) => html`<li>${accountFigure(iban)} <small>${types.map(wordOf).join(', ')}</small></li>`,
  );
  const often = consent.recurringIndicator
    ? `${value.whenYouAsk}; ${value.timesADay(consent.frequencyPerDay)}`
    : value.oneOff;
  return [
    { label: row.who, value: tppName },
    {
      label: row.which,
      value: html`<ul>
        ${accounts}
      </ul>`,
    },
    { label: row.howLong, value: value.until(dateText(consent.validUntil, language, timeZone)) },
    { label: row.howOften, value: often },
  ];
};

/** The first door: the scaRedirect of a consent. */
export const openConsent = async (parts: ApprovalParts, link: ConsentLink): Promise<Approval | Closed> => {
  if (!isUuid(link.consentId) || !isUuid(link.authorisationId)) return { closed: 'unknown' };
  const consent = await find(parts.requester, link);
  if (consent === undefined) return { closed: 'unknown' };
  if (!needsAuthorisation(consent)) {
    const wasLate = consent.consentStatus === 'rejected' && consent.psuId === undefined;
    return wasLate && hasPassed(consent.expiresAt, parts.clock.now()) ? expired(consent) : { closed: 'used' };
  }
  if (hasPassed(consent.expiresAt, parts.clock.now())) return expired(consent);
  return consentApproval(parts, consent);
};

const expired = ({ redirectUris }: ConsentAuthorisation): Closed => ({
  closed: 'expired',
  redirect: redirectUris.nok,
});

/** Received or partly authorised, and its authorisation not yet ended. */
export const needsAuthorisation = ({ consentStatus, scaStatus }: ConsentAuthorisation): boolean =>
  ['received', 'partiallyAuthorised'].includes(consentStatus) && !['finalised', 'failed'].includes(scaStatus);

const find = async (requester: Requester, link: ConsentLink): Promise<ConsentAuthorisation | undefined> => {
  try {
    const consent = await requester.call(readConsentAuthorisation, link);
    return consent.authorisationId === link.authorisationId ? consent : undefined;
  } catch (error) {
    if (error instanceof CallFailed && error.failures.every(({ failure }) => unknown.has(failure)))
      return undefined;
    throw error;
  }
};

const unknown = new Set<FailureName>(['consentUnknown', 'resourceUnknown']);
const tooLate: Outcome = { kind: 'failed', reason: 'no-longer-possible' };

/** A consent that its PSU has to authorise. */
export const consentApproval = async (
  { requester, registry, profile }: ApprovalParts,
  consent: ConsentAuthorisation,
): Promise<Approval> => {
  const { consentId, authorisationId, redirectUris } = consent;
  const link = { consentId, authorisationId };
  const tppName = (await registry.find(consent.tppId))?.name ?? '';
  const refuse: Approval['refuse'] = async (reason, psuId) => {
    const rejected = await unlessTooLate(() => requester.call(rejectConsent, { ...link, psuId, reason }));
    return rejected === undefined ? tooLate : { kind: 'failed', reason };
  };
  return {
    kind: 'consent',
    tppName,
    picksAccounts: consent.psuPicksAccounts,
    formTargets: [redirectUris.ok, redirectUris.nok].map(originOf).filter((origin) => origin !== undefined),
    identify: async (psuId) =>
      consent.namedPsuId === undefined || consent.namedPsuId === psuId
        ? undefined
        : refuse('not-the-named-psu', psuId),
    accounts: async (psuId) => {
      const { accounts } = await requester.call(listPsuAccounts, { psuId });
      return accounts.filter(
        ({ status, corporateId }) =>
          status !== 'closed' &&
          (consent.psuCorporateId === undefined || consent.psuCorporateId === corporateId),
      );
    },
    rows: (state, language) => consentRows(consent, state, tppName, language, profile.timeZone),
    content: (state) => ({
      kind: 'consent',
      resourceId: consentId,
      accounts: [...openedBy(consent, state).keys()],
    }),
    approve: async (psuId, { chosenIbans }) => {
      const chosen = consent.psuPicksAccounts ? { chosenIbans: chosenIbans ?? [] } : {};
      const answer = await unlessTooLate(() =>
        requester.call(authoriseConsent, { ...link, psuId, ...chosen }),
      );
      if (answer?.consentStatus === 'valid') return { kind: 'authorised' };
      return { kind: 'failed', reason: answer?.rejectionReason ?? 'no-longer-possible' };
    },
    refuse,
    leave: async (outcome) => (outcome.kind === 'failed' ? redirectUris.nok : redirectUris.ok),
  };
};
