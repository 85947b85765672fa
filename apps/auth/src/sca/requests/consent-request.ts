import {
  authoriseConsent,
  type ConsentAuthorisation,
  listOpenableAccounts,
  readConsentAuthorisation,
  rejectConsent,
} from '@xs2a/contracts/consents.contract';
import { accessTypes, listIbans } from '@xs2a/domain/consent/consent-events';
import { awaitsAuthorisation } from '@xs2a/domain/consent/consent-transitions';
import type { FailureName } from '@xs2a/domain/failure/failures';
import { type Authorisation, authorisationIn, isOpenAuthorisation } from '@xs2a/domain/sca/authorisations';
import { hasPassed } from '@xs2a/domain/time/bank-calendar';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { isUuid } from '../../oauth/grants/consent-authority.js';
import type { AuthorisationRequest, Closed, Decided, Row } from './authorisation-request.js';
import type { Language } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { accountFigure } from '../pages/figures.js';
import { html } from '@xs2a/html/html';
import { dateText } from '../pages/language.js';
import type { Outcome, PageState } from '../page-sessions.js';
import { parseOrigin } from '../pages/page.js';
import { type RequestParts, signedOutcome, unlessTooLate } from './payment-request.js';

export interface ConsentLink {
  readonly consentId: string;
  readonly authorisationId: string;
}
type ShownConsent = Pick<
  ConsentAuthorisation,
  'access' | 'psuPicksAccounts' | 'agreedIbans' | 'recurringIndicator' | 'validUntil' | 'frequencyPerDay'
>;

/**
 * The IBANs to which the consent gives access, each with its access types: the accounts that the TPP requested or
 * that the PSU chose.
 */
export const openedBy = (
  consent: ShownConsent,
  state: Pick<PageState, 'chosenIbans'>,
): Map<string, readonly string[]> => {
  if (consent.psuPicksAccounts) {
    const picked = consent.agreedIbans ?? state.chosenIbans ?? [];
    return new Map(picked.map((iban) => [iban, accessTypes]));
  }
  const opens = (iban: string): readonly string[] =>
    accessTypes.filter((type) => consent.access[type]?.some((reference) => reference.iban === iban));
  return new Map(listIbans(consent.access).map((iban) => [iban, opens(iban)]));
};

/**
 * The rows that the PSU reads before granting a consent: which TPP gets access, to which accounts and data, for
 * how long, and how often (contract 12).
 */
export const consentRows = (
  consent: ShownConsent,
  state: Pick<PageState, 'chosenIbans'>,
  tppName: string,
  language: Language,
  timeZone: string,
): readonly Row[] => {
  const { row, value } = catalogues[language];
  const translate = (type: string): string =>
    value.access[accessTypes.find((one) => one === type) ?? 'accounts'];
  const accounts = [...openedBy(consent, state)].map(
    ([iban, types]) =>
      html`<li>${accountFigure(iban)} <small>${types.map(translate).join(', ')}</small></li>`,
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

/** Opens the scaRedirect of a consent. */
export const openConsent = async (
  parts: RequestParts,
  link: ConsentLink,
): Promise<AuthorisationRequest | Closed> => {
  if (!isUuid(link.consentId) || !isUuid(link.authorisationId)) return { closed: 'unknown' };
  const consent = await find(parts.callClient, link);
  const authorisation = consent && authorisationIn(consent, link.authorisationId);
  if (consent === undefined || authorisation === undefined) return { closed: 'unknown' };
  const isLate = hasPassed(consent.expiresAt, parts.clock.now());
  const nok = (authorisation.redirectUris ?? consent.redirectUris).nok;
  if (consent.isGrouped) return { closed: 'grouped' };
  if (awaitsAuthorisation(consent.consentStatus) && isOpenAuthorisation(authorisation))
    return isLate ? { closed: 'expired', redirect: nok } : consentRequest(parts, consent, authorisation);
  const wasLate = consent.consentStatus === 'rejected' && authorisation.psuId === undefined && isLate;
  if (wasLate) return { closed: 'expired', redirect: nok };
  return { closed: 'used', decided: async (psuId) => decidedFor(parts, consent, authorisation, psuId) };
};

/** The outcome of a consent for a PSU who has granted it or was about to grant it. */
const decidedFor = async (
  { registry }: RequestParts,
  consent: ConsentAuthorisation,
  { psuId: signer, redirectUris = consent.redirectUris }: Authorisation,
  psuId: string,
): Promise<Decided | undefined> => {
  const isGranted =
    consent.signedBy.includes(psuId) && ['valid', 'partiallyAuthorised'].includes(consent.consentStatus);
  if (!isGranted && signer !== psuId) return undefined;
  const outcome = isGranted ? signedOutcome(consent.signaturesMissing) : tooLate;
  const redirect = isGranted ? redirectUris.ok : redirectUris.nok;
  const tppName = (await registry.find(consent.tppId))?.name ?? '';
  return {
    result: { kind: 'consent', tppName, outcome },
    redirect,
  };
};

const find = async (callClient: CallClient, link: ConsentLink): Promise<ConsentAuthorisation | undefined> => {
  try {
    return await callClient.call(readConsentAuthorisation, link);
  } catch (error) {
    if (error instanceof CallFailed && error.failures.every(({ failure }) => unknown.has(failure)))
      return undefined;
    throw error;
  }
};

const unknown = new Set<FailureName>(['consentUnknown', 'resourceUnknown']);
export const tooLate: Outcome = { kind: 'failed', reason: 'no-longer-possible' };

/** True if this PSU chooses the accounts: the consent leaves the choice open, and no earlier signer has chosen. */
export const isToBePicked = ({ psuPicksAccounts, agreedIbans }: ShownConsent): boolean =>
  psuPicksAccounts && agreedIbans === undefined;

/** True if another signer has since granted different accounts from those that the PSU saw or chose. */
export const isOutdated = (
  { psuPicksAccounts, agreedIbans }: ShownConsent,
  { step, chosenIbans }: Pick<PageState, 'step' | 'chosenIbans'>,
): boolean => {
  if (!psuPicksAccounts || agreedIbans === undefined) return false;
  const isSame =
    chosenIbans === undefined ||
    (chosenIbans.length === agreedIbans.length && chosenIbans.every((iban) => agreedIbans.includes(iban)));
  return step === 'accounts' || !isSame;
};

/** A consent that a PSU has to authorise, as the only signer or as one of several. */
export const consentRequest = async (
  { callClient, registry, profile }: RequestParts,
  consent: ConsentAuthorisation,
  { authorisationId, namedPsuId, redirectUris = consent.redirectUris }: Authorisation,
): Promise<AuthorisationRequest> => {
  const { consentId } = consent;
  const link = { consentId, authorisationId };
  const tppName = (await registry.find(consent.tppId))?.name ?? '';
  const refuse: AuthorisationRequest['refuse'] = async (reason, psuId) => {
    const rejected = await unlessTooLate(() => callClient.call(rejectConsent, { ...link, psuId, reason }));
    return rejected === undefined ? tooLate : { kind: 'failed', reason };
  };
  return {
    kind: 'consent',
    tppName,
    tppId: consent.tppId,
    picksAccounts: isToBePicked(consent),
    refusesSignedIn: consent.signedBy.length > 0,
    formTargets: [redirectUris.ok, redirectUris.nok]
      .map(parseOrigin)
      .filter((origin) => origin !== undefined),
    identify: async (psuId) => {
      if (namedPsuId !== undefined && namedPsuId !== psuId) return refuse('not-the-named-psu', psuId);
      return consent.signedBy.includes(psuId) ? tooLate : undefined;
    },
    accounts: async (psuId) => (await callClient.call(listOpenableAccounts, { consentId, psuId })).accounts,
    isOutdated: (state) => isOutdated(consent, state),
    rows: (state, language) => consentRows(consent, state, tppName, language, profile.timeZone),
    content: (state) => ({
      kind: 'consent',
      resourceId: consentId,
      accounts: [...openedBy(consent, state).keys()],
    }),
    approve: async (psuId, state) => {
      const chosen = consent.psuPicksAccounts ? { chosenIbans: [...openedBy(consent, state).keys()] } : {};
      const answer = await unlessChanged(() =>
        unlessTooLate(() => callClient.call(authoriseConsent, { ...link, psuId, ...chosen })),
      );
      if (answer === 'changed') return 'changed';
      if (answer?.consentStatus === 'valid') return { kind: 'authorised' };
      return answer?.consentStatus === 'partiallyAuthorised'
        ? { kind: 'partly', missing: answer.signaturesMissing }
        : { kind: 'failed', reason: answer?.rejectionReason ?? 'no-longer-possible' };
    },
    refuse,
    leave: async (outcome) => (outcome.kind === 'failed' ? redirectUris.nok : redirectUris.ok),
  };
};

/** Makes the call. Returns `changed` if another signer granted different accounts at the same moment. */
export const unlessChanged = async <Answer>(call: () => Promise<Answer>): Promise<Answer | 'changed'> => {
  try {
    return await call();
  } catch (error) {
    const isChanged =
      error instanceof CallFailed &&
      error.failures.every(({ failure, path }) => failure === 'fieldMalformed' && path === 'accounts');
    if (isChanged) return 'changed';
    throw error;
  }
};
