import { type PayeeCounts, findPayee } from '@xs2a/domain/payee/payment-payees';
import type { PaymentPayee, PayeeResult, PayeesVerified } from '@xs2a/domain/payee/payees-verified';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { type Html, html } from '@xs2a/html/html';
import type { Catalogue, Language } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { icon } from '../pages/look/icons.js';
import type { Row } from '../requests/authorisation-request.js';

type Words = Catalogue['payees'];

/**
 * The result of the verification of the payee of a single payment or a periodic order: the full text on the review
 * page, a short one on the pages after the review.
 */
export const payeeCheckRows = (
  verified: PayeesVerified | undefined,
  order: PaymentOrder,
  language: Language,
): readonly Row[] => {
  const payee = findPayee(verified, order);
  if (payee === undefined) return [];
  const words = catalogues[language].payees;
  return [
    { label: words.label, value: inFull(payee, words), place: 'payeeCheck' },
    { label: words.label, value: words.brief[payee.verdict], isBrief: true, isOnReceipt: true },
  ];
};

/**
 * The results of the verification of the payees of a bulk payment or basket, each with the number of payees that have
 * it: the full text on the review page, a short one on the pages after the review.
 */
export const payeeCountRows = (counts: PayeeCounts | undefined, language: Language): readonly Row[] => {
  if (counts === undefined) return [];
  const words = catalogues[language].payees;
  const brief = writeCounts(counts, language);
  if (brief === '') return [];
  const full = html`<p>${brief}</p>
    ${counts.NO_MATCH === undefined ? undefined : alarm(words.noMatch)}
    ${counts.NO_MATCH === undefined && counts.CLOSE_MATCH === undefined ? undefined : html`<p>${words.liability}</p>`}
    ${counts.NOT_POSSIBLE === undefined ? undefined : verdictBox('NOT_POSSIBLE', words.notPossible)}
    ${counts.OPTED_OUT === undefined ? undefined : html`<p>${words.optedOut}</p>`}`;
  return [
    { label: words.label, value: full, place: 'payeeCheck' },
    { label: words.label, value: brief, isBrief: true, isOnReceipt: true },
  ];
};

/** The result of the verification of the payee of one payment, in the list of payments of a bulk payment or basket. */
export const payeeDetail = (
  verified: PayeesVerified | undefined,
  order: PaymentOrder,
  language: Language,
): readonly Row[] => {
  const { label, brief, closeMatch } = catalogues[language].payees;
  if (verified?.isOptedOut === true) return [{ label, value: brief.OPTED_OUT }];
  const payee = findPayee(verified, order);
  if (payee === undefined) return [];
  const { verdict, disclosedName } = payee;
  return disclosedName === undefined
    ? [{ label, value: brief[verdict] }]
    : [{ label, value: closeMatch(disclosedName), brief: brief[verdict] }];
};

/** For example `the name matches: 3; the name does not match: 1`. If there is only one payee, without a number. */
const writeCounts = (counts: PayeeCounts, language: Language): string => {
  const { brief } = catalogues[language].payees;
  const found = (Object.entries(counts) as [PayeeResult, number][]).filter(([, payees]) => payees > 0);
  const [only] = found;
  if (only !== undefined && found.length === 1 && only[1] === 1) return brief[only[0]];
  return found.map(([result, payees]) => `${brief[result]}: ${payees}`).join('; ');
};

const alarm = (text: string): Html =>
  html`<p class="notice" role="alert">${icon('alert')}<span>${text}</span></p>`;

const verdictIcons = { MATCH: 'check', CLOSE_MATCH: 'alert', NOT_POSSIBLE: 'info' } as const;

/**
 * A verdict that the PSU does not have to confirm. Each verdict has its own colour and icon, so that the PSU recognises
 * it before reading the text.
 */
const verdictBox = (verdict: keyof typeof verdictIcons, text: string): Html =>
  html`<p class="verdict ${verdict}">${icon(verdictIcons[verdict])}<span>${text}</span></p>`;

const inFull = ({ verdict, disclosedName = '' }: PaymentPayee, words: Words): Html => {
  switch (verdict) {
    case 'MATCH':
      return verdictBox(verdict, words.match);
    case 'CLOSE_MATCH':
      return html`${verdictBox(verdict, words.closeMatch(disclosedName))}
        <p>${words.liability}</p>`;
    case 'NO_MATCH':
      return html`${alarm(words.noMatch)}
        <p>${words.liability}</p>`;
    case 'NOT_POSSIBLE':
      return verdictBox(verdict, words.notPossible);
  }
};
