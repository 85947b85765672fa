import { amountFigure, ibanFigure, locales } from '@xs2a/html/figures';
import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import type { Market } from '../bank/market.js';
import { form, type Page, page, Redirect } from './layout.js';
import type { AnyInitiated, Initiated } from './session.js';
import type { Visit } from './visit.js';

/** Writes an amount as usual in the market, by default in its currency. */
export const money = (amount: string, market: Market, currency: string = market.currency): Html =>
  amountFigure({ amount, currency }, 'en', market.currency);

/** Formats a day (`2027-01-31`); returns the text unchanged if it is not a day. */
export const day = (text: string): Html => {
  const instant = Date.parse(`${text}T00:00:00Z`);
  const options = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  const figure = Number.isNaN(instant) ? text : new Intl.DateTimeFormat(locales.en, options).format(instant);
  return html`<time datetime="${text}">${figure}</time>`;
};

/** Builds rows of names and values. */
export const facts = (rows: readonly (readonly [name: string, value: Html | string | number])[]): Html =>
  html`<dl>
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;

/** Lists the bank's reasons for a refusal, each with a link to its field if `fieldOf` finds the field on the page. */
export const bankErrors = (
  lead: string,
  refused: readonly TppMessage[],
  fieldOf: (path: string) => string | undefined,
): Html | undefined => {
  if (refused.length === 0) return undefined;
  const items = refused.map(({ code, path, text }) => {
    const field = path === undefined ? undefined : fieldOf(path);
    const place = [code, path].filter(Boolean).join(' ');
    return html`<li>
      ${field === undefined ? place : html`<a href="#${field}">${place}</a>`}${text === undefined ? '' : `: ${text}`}
    </li>`;
  });
  return html`<div class="notice" role="alert">
    <p>${lead}</p>
    <ul>
      ${items}
    </ul>
  </div>`;
};

/** Builds one row of a numbered list of payments. The amount is next to the payee, or below the payee on a phone. */
export const entry = (
  prefix: string,
  index: number,
  { payee, amount, more }: { readonly payee: Html; readonly amount: Html; readonly more?: Html },
): Html =>
  html`<li id="${entryId(prefix, index)}" tabindex="-1">
    <p class="quiet number">${index + 1}</p>
    <div class="payee">${payee} ${more}</div>
    <p class="amount">${amount}</p>
  </li>`;
/** The target of a link to an entry. */
export const entryId = (prefix: string, index: number): string => `${prefix}-${index + 1}`;

export const payeeAndIban = (name: string, iban: string): Html =>
  html`<p>${name}</p>
    <p class="quiet">${ibanFigure(iban)}</p>`;

/** What a status at the bank means for the user. `isOpen`: the status can still change. */
export interface Meaning {
  readonly text: string;
  readonly tone?: 'good' | 'bad';
  readonly isOpen?: boolean;
}
export interface BankState {
  readonly transactionStatus: string;
  readonly fundsAvailable?: boolean;
}

export const unsigned: Meaning = { text: 'waiting for your signature at the bank', isOpen: true };
/** Some of several people have signed. */
export const partlySigned: Meaning = {
  text: 'signed by some of the signers, not by all',
  isOpen: true,
};
export const unknown: Meaning = { text: 'the bank does not know it any more' };

/** The meaning of each transactionStatus (ISO 20022) of a payment or bulk payment. */
const meanings: Readonly<Record<string, Meaning>> = {
  RCVD: unsigned,
  PATC: partlySigned,
  ACCP: { text: 'signed: the bank will carry it out within a minute or so', isOpen: true },
  ACSP: { text: 'being carried out', isOpen: true },
  ACSC: { text: 'carried out', tone: 'good' },
  PART: { text: 'carried out in part: there was not enough money for all', tone: 'bad' },
  RJCT: { text: 'not authorised', tone: 'bad' },
  CANC: { text: 'cancelled' },
};

/**
 * ACCP by itself does not show whether the payment is signed, so it counts as unsigned until the user has returned
 * from the bank.
 */
export const paymentMeaning = (
  state: BankState | undefined,
  returned: AnyInitiated['returned'] = 'ok',
): Meaning => {
  const { transactionStatus = '', fundsAvailable } = state ?? {};
  if (transactionStatus !== 'ACCP') return meanings[transactionStatus] ?? unknown;
  if (fundsAvailable === false) return { text: 'not carried out: there was not enough money', tone: 'bad' };
  return returned === 'ok' ? (meanings['ACCP'] ?? unknown) : unsigned;
};

export const statusText = ({ text, tone }: Meaning, state: BankState | undefined): Html =>
  html`<span class="${tone}">${text}</span> <span class="quiet">${state?.transactionStatus}</span>`;

/** The links to the signature at the bank: one, or one for each of several signers. */
export const signLinks = ({ scaRedirect, signers }: Pick<AnyInitiated, 'scaRedirect' | 'signers'>): Html =>
  signers === undefined
    ? html`<p><a class="button" href="${scaRedirect}">Sign at the bank</a></p>`
    : html`<ul class="buttons">
        ${signers.map(
          (one) =>
            html`<li><a class="button" href="${one.scaRedirect}">Sign at the bank as ${one.psuId}</a></li>`,
        )}
      </ul>`;

/** Where the browser goes after an initiation: to the signature, or to the page with each signer's link. */
export const nextOf = ({ ownPath, scaRedirect, signers }: Initiated): Redirect =>
  new Redirect(signers === undefined ? scaRedirect : ownPath);

/**
 * Builds the status page of anything that the user initiated: its status, its facts, the possible actions, and
 * `details`.
 */
export const statusPage = (
  visit: Visit,
  title: string,
  known: AnyInitiated,
  status: {
    readonly meaning: Meaning;
    readonly state: BankState | undefined;
    /** The version of the status that the bank had reported when the status was read. */
    readonly seen: number;
    readonly isOpen?: boolean;
    readonly facts: readonly (readonly [name: string, value: Html | string | number])[];
    readonly details?: Html;
    /** The button that ends the resource while it is open: the last part of its path, and its text. */
    readonly end?: readonly [action: string, text: string];
    readonly another: Html;
  },
): Page => {
  const { meaning, state, end, isOpen = meaning.isOpen === true } = status;
  const isUnsigned = ['RCVD', 'PATC'].includes(state?.transactionStatus ?? '');
  const current = html`<strong id="state" data-live role="status">${statusText(meaning, state)}</strong>`;
  const actions = html`${isUnsigned ? signLinks(known) : undefined}
    <p><a href="${known.ownPath}">Refresh</a></p>
    ${end && form(visit, `${known.ownPath}/${end[0]}`, html`<button class="secondary">${end[1]}</button>`)}`;
  return page(
    visit,
    title,
    html`${
        known.returned === 'nok'
          ? html`<p class="notice" role="alert">You came back without signing. No money has moved.</p>`
          : undefined
      }
      ${facts([['Status', current], ...status.facts])} ${status.details}
      <div id="actions" data-live>${isOpen ? actions : undefined}</div>
      <p>${status.another}</p>`,
    { events: isOpen ? `${known.ownPath}/events?after=${status.seen}` : undefined },
  );
};
