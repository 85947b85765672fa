import { type Html, html } from '@xs2a/html/html';
import type { BulkPlace, PaymentPlace } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { form, type View } from './page.js';

const paymentPlaces: Readonly<Record<string, PaymentPlace>> = {
  RCVD: 'unsigned',
  ACCP: 'accepted',
  ACSP: 'executing',
  ACSC: 'done',
  RJCT: 'rejected',
  CANC: 'cancelled',
};

/** The transactionStatus of a payment as the catalogue names it. */
export const paymentPlaceOf = (transactionStatus: string | undefined): PaymentPlace =>
  paymentPlaces[transactionStatus ?? ''] ?? 'unknown';

/** The same for a bulk payment, or for a basket's item, which may be one. */
export const getBulkPlace = (transactionStatus: string | undefined): BulkPlace =>
  transactionStatus === 'PART' ? 'partly' : paymentPlaceOf(transactionStatus);

/** An accepted initiation counts as unsigned until the person has returned: ACCP by itself does not show whether it is signed. */
export const unlessUnsigned = <Place extends string>(
  place: Place,
  { returned }: { readonly returned?: 'ok' | 'nok' },
): Place | 'unsigned' => (place === 'accepted' && returned !== 'ok' ? 'unsigned' : place);

/** Shows that the person returned from the bank without a signature. */
export const notSignedNotice = (
  { language }: View,
  { returned }: { readonly returned?: 'ok' | 'nok' },
): Html | undefined =>
  returned === 'nok'
    ? html`<p class="notice" role="alert">${catalogues[language].payment.notSigned}</p>`
    : undefined;

/** The status in words and as the bank sends it; an open page replaces it when it changes. */
export const statusRow = (
  { language }: View,
  words: string,
  state: { readonly transactionStatus?: string } | undefined,
): Html =>
  html`<dt>${catalogues[language].payment.state}</dt>
    <dd>
      <span id="state" data-live role="status">
        <strong>${words}</strong> <span class="quiet">${state?.transactionStatus}</span>
      </span>
    </dd>`;

/** The link and button of a payment, order or basket without a final status: read it again, or cancel it. */
export const openActions = (view: View, cancel: string): Html =>
  html`<p><a href="${view.path}">${catalogues[view.language].payment.again}</a></p>
    ${form(view, `${view.path}/cancel`, html`<button class="quietly">${cancel}</button>`)}`;

/** The address at which an open page receives the changes that the bank reports after the version that it shows. */
export const toEventsPath = ({ path }: View, seen: number): string => `${path}/events?after=${seen}`;
