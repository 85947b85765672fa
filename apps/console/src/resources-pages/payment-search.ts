import { BadRequestException } from '@nestjs/common';
import type { FoundPayments } from '@xs2a/contracts/console/payment-search.contract';
import { formatAmount, parseAmount } from '@xs2a/domain/money/money';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { isMaxText } from '@xs2a/domain/text/text';
import { isIsoDate } from '@xs2a/domain/time/bank-calendar';
import { type Html, html } from '@xs2a/html/html';
import { statusPill } from '../pages/status-pill.js';
import { timeOf } from '../pages/times.js';

/** What a person typed into the search for payments. */
export interface SearchForm {
  readonly tpp: string;
  readonly day: string;
  readonly amount: string;
}

/** A search that can be asked, or what is wrong with the form. */
export type ReadSearch =
  | { readonly tppId: string; readonly day: string; readonly amount?: MinorAmount }
  | { readonly wrong: string };

/** Reads the form from the address of the page. Throws BadRequestException if a value cannot come from the form. */
export const readForm = (query: Readonly<Record<string, unknown>>): SearchForm => {
  const read = (name: string): string => {
    const value = query[name] ?? '';
    if (typeof value !== 'string' || value.length > 200 || value.includes('\0'))
      throw new BadRequestException();
    return value.trim();
  };
  return { tpp: read('tpp'), day: read('day'), amount: read('amount') };
};

/** Reads what to search; undefined if the form is empty. */
export const readSearch = ({ tpp, day, amount }: SearchForm): ReadSearch | undefined => {
  if (tpp === '' && day === '' && amount === '') return undefined;
  if (!isMaxText(tpp, 200) || day === '') return { wrong: 'Enter a TPP and a day.' };
  if (!isIsoDate(day) || !day.startsWith('20')) return { wrong: 'Enter the day as in 2026-11-27.' };
  if (amount === '') return { tppId: tpp, day };
  const [number, currency, ...rest] = amount.split(/\s+/);
  const parsed = parseAmount(number, currency);
  if ('reason' in parsed || rest.length > 0)
    return { wrong: 'Enter the amount with its currency, as in 12.50 BGN.' };
  return { tppId: tpp, day, amount: parsed };
};

export const searchForm = (form: SearchForm): Html => html`
  <form class="filter" method="get" action="/payments" aria-label="Find payments">
    <label>TPP<input name="tpp" value="${form.tpp}" maxlength="200" required /></label>
    <label
      >day of the POST, in the bank’s time zone<input
        name="day"
        value="${form.day}"
        maxlength="10"
        placeholder="2026-11-27"
        required
    /></label>
    <label
      >amount (if known)<input name="amount" value="${form.amount}" maxlength="40" placeholder="12.50 BGN"
    /></label>
    <button type="submit">Find</button>
  </form>
`;

export const foundTable = (result: FoundPayments): Html => html`
  ${coverage(result)}
  ${
    result.payments.length === 0
      ? undefined
      : html`<table>
          <caption>
            Payments, newest first
          </caption>
          <thead>
            <tr>
              <th scope="col">payment</th>
              <th scope="col">time of the POST (UTC)</th>
              <th scope="col">status</th>
              <th scope="col" class="number">amount</th>
              <th scope="col">service</th>
              <th scope="col">product</th>
            </tr>
          </thead>
          <tbody>
            ${result.payments.map(foundRow)}
          </tbody>
        </table>`
  }
`;

/** How many payments were searched, and what was not. */
const coverage = ({
  payments,
  found,
  searched,
  candidates,
  archivedMonths,
  isOutdated,
  isCut,
}: FoundPayments): Html => html`
  <p role="status">
    ${candidates === 0 ? 'No payment has this TPP or PSU, day and amount: the day is in the bank’s time zone, not in UTC. ' : undefined}
    Searched ${whole(searched)} of ${whole(candidates)}, found
    ${whole(found)}${payments.length < found ? `; the newest ${payments.length} are shown` : ''}.
    ${archivedMonths.map((month) => html`Payments of ${month} that had ended are archived, and not searched. `)}
    ${isCut === true ? 'The search took too long and stopped: narrow it, for example by amount. ' : undefined}
    ${isOutdated ? 'Payments from before an upgrade are not searched.' : undefined}
  </p>
`;

const whole = (count: number): string => count.toLocaleString('en');

const foundRow = ({
  paymentId,
  createdAt,
  transactionStatus,
  amount,
  service,
  product,
}: FoundPayments['payments'][number]): Html =>
  html`<tr>
    <td class="mono"><a href="/payments/${paymentId}">${paymentId}</a></td>
    <td class="mono">${timeOf(createdAt)}</td>
    <td>${statusPill(transactionStatus)}</td>
    <td class="number">${formatAmount(amount)} ${amount.currency}</td>
    <td>${service}</td>
    <td>${product}</td>
  </tr>`;
