import type { ConsentAuthorisation } from '@xs2a/contracts/consents.contract';
import { accessTypes, listIbans } from '@xs2a/domain/consent/consent-events';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { html } from '@xs2a/html/html';
import { catalogues } from '../catalogue/catalogues.js';
import { accessPermissions, fundsPermissions } from './permissions.js';
import type { PageState } from '../page-sessions.js';
import { dateText } from '../pages/language.js';
import type { Row } from '../requests/authorisation-request.js';
import { namedAccount, type Reading } from './row-parts.js';

export type ShownConsent = Pick<
  ConsentAuthorisation,
  'access' | 'psuPicksAccounts' | 'agreedIbans' | 'recurringIndicator' | 'validUntil' | 'frequencyPerDay'
>;

/**
 * The IBANs that the consent gives access to, each with its access types: the ones that the TPP requested or the
 * PSU chose.
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

/** The rows that the PSU reads before granting: which accounts, what, for how long, how often (contract 12). */
export const consentRows = (
  consent: ShownConsent,
  state: Pick<PageState, 'chosenIbans'>,
  { language, profile, names }: Pick<Reading, 'language' | 'profile' | 'names'>,
): readonly Row[] => {
  const { row, value } = catalogues[language];
  const translate = (type: string): string =>
    value.access[accessTypes.find((one) => one === type) ?? 'accounts'];
  const opened = openedBy(consent, state);
  const accounts = [...opened].map(
    ([iban, types]) =>
      html`<li>${namedAccount(iban, names)} <small>${types.map(translate).join(', ')}</small></li>`,
  );
  const often = consent.recurringIndicator
    ? `${value.whenYouAsk}; ${value.timesADay(consent.frequencyPerDay)}`
    : value.oneOff;
  return [
    {
      label: row.which,
      value: html`<ul>
        ${accounts}
      </ul>`,
      isOnReceipt: true,
    },
    accessPermissions(new Set([...opened.values()].flat()), language),
    {
      label: row.howLong,
      value: value.until(dateText(consent.validUntil, language, profile.timeZone)),
      isOnReceipt: true,
    },
    { label: row.howOften, value: often },
  ];
};

/**
 * The rows that the PSU reads before granting funds confirmation: all accounts, by name if the bank answers in time,
 * and the day on which the last refresh token would expire if the PSU signed now.
 */
export const fundsRows = ({ language, profile, names, now }: Reading): readonly Row[] => {
  const { row, value } = catalogues[language];
  const listed = [...(names?.keys() ?? [])].map((iban) => html`<li>${namedAccount(iban, names)}</li>`);
  const end = new Date(Date.parse(now) + profile.refreshTokenSeconds * 1000).toISOString();
  const day = dateText(toBankDate(end, profile.timeZone), language, profile.timeZone);
  return [
    {
      label: row.which,
      value:
        listed.length === 0
          ? value.allAccounts
          : html`<p>${value.allAccounts}</p>
              <ul>
                ${listed}
              </ul>`,
    },
    fundsPermissions(language),
    { label: row.howLong, value: value.untilOrEnded(day) },
  ];
};

/** True if this PSU chooses the accounts: the consent leaves the choice open, and no earlier signer has made it. */
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
