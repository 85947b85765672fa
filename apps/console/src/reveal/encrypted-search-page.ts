import type { FoundPayments } from '@xs2a/contracts/console/payment-search.contract';
import { maxCandidates } from '@xs2a/contracts/console/payment-search.contract';
import { isMaxText } from '@xs2a/domain/text/text';
import { type Html, html } from '@xs2a/html/html';
import { actionForm } from '../actions/action-form.js';
import { revealsAnHour } from '../actions/operator-events.js';
import type { Revealed } from '../actions/reveals.js';
import { foundTable, readSearch } from '../resources-pages/payment-search.js';
import { isClientId } from '../tpps/client-id.js';
import type { WantedPayments } from './encrypted-search.js';

/** The most payments that a search shows. */
const limit = 100;

/** Reads what to search in encrypted data, or what is wrong with the form. */
export const readEncryptedSearch = (form: URLSearchParams): WantedPayments | { readonly wrong: string } => {
  const read = (name: string): string | undefined => form.get(name)?.trim() || undefined;
  const [tpp, psuId, lastFour, payee, endToEndId] = ['tpp', 'psu', 'lastFour', 'payee', 'endToEndId'].map(
    read,
  );
  if ((tpp === undefined) === (psuId === undefined)) return { wrong: 'Enter either a TPP or a PSU-ID.' };
  if (tpp !== undefined && !isClientId(tpp)) return { wrong: 'Enter the client id of a TPP.' };
  if (psuId !== undefined && !isMaxText(psuId, 64)) return { wrong: 'A PSU-ID has 1 to 64 characters.' };
  const day = read('day') ?? '';
  const searched = readSearch({ tpp: tpp ?? 'psu', day, amount: read('amount') ?? '' });
  if (searched === undefined || 'wrong' in searched) return searched ?? { wrong: 'Enter a day.' };
  if (lastFour === undefined && payee === undefined && endToEndId === undefined)
    return { wrong: 'Enter the end of an account, a payee or an end-to-end id.' };
  if (lastFour !== undefined && !/^[A-Za-z0-9]{4}$/.test(lastFour))
    return { wrong: 'Enter the last four letters or digits of the account.' };
  if (payee !== undefined && !isMaxText(payee, 140)) return { wrong: 'A payee has 1 to 140 characters.' };
  if (endToEndId !== undefined && !isMaxText(endToEndId, 35))
    return { wrong: 'An end-to-end id has 1 to 35 characters.' };
  const { amount } = searched;
  return { tppId: tpp, psuId, day, amount, lastFour, payee, endToEndId, limit };
};

const field = (name: string, label: string, maxlength: number, more?: Html): Html =>
  html`<label>${label}<input name="${name}" maxlength="${maxlength}" autocomplete="off" ${more} /></label>`;

/** The form for a search in encrypted data, below the search by TPP and day. */
export const encryptedSearchForm = (csrf: string): Html => html`
  <details class="card">
    <summary>Search in encrypted data</summary>
    ${actionForm({
      csrf,
      to: '/payments/search',
      does: `Compares up to ${maxCandidates.toLocaleString('en')} payments of one TPP or one PSU on a day. The console records who searched and why, but not the text. The search counts as one of ${revealsAnHour} reveals an hour.`,
      button: 'Search',
      command: 'xs2a payments find --tpp TPP --day 2026-11-27 --payee NAME',
      hidden: {},
      fields: html`${field('tpp', 'TPP', 200)} ${field('psu', 'or PSU-ID', 64)}
      ${field('day', 'Day of the POST, in the bank’s time zone', 10, html`placeholder="2026-11-27" required`)}
      ${field('amount', 'Amount (if known)', 40, html`placeholder="12.50 BGN"`)}
      ${field('lastFour', 'Last four characters of an account', 4)}
      ${field('payee', 'Part of the payee’s name', 140)} ${field('endToEndId', 'End-to-end id', 35)}`,
    })}
  </details>
`;

/** The answer to the form. */
export const encryptedSearchBody = (revealed: Revealed<FoundPayments>, actionId: string): Html => html`
  ${
    'refused' in revealed
      ? html`<p class="card is-problem" role="alert">${revealed.refused}</p>`
      : html`<section class="card wide" tabindex="0" aria-label="Found">
            ${foundTable(revealed.shown)}
          </section>
          <p class="quiet">
            <a href="/actions/${actionId}">The record</a> says that you searched. ${revealed.left} of
            ${revealsAnHour} reveals are left within the hour.
          </p>`
  }
  <p class="links"><a class="button" href="/payments">Back to Payments</a></p>
`;
