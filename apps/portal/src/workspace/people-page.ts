import { type Html, html } from '@xs2a/html/html';
import { codeBlock } from '../pages/code.js';
import type { Session } from './session.js';
import type { Listed, OwnPsu } from '../own-things/own-things.js';
import { earlier, keyField, note, csrfField, workspacePage } from './workspace-page.js';

/** A new person. */
export interface Created {
  readonly psuId: string;
  readonly password: string;
  readonly accounts: readonly { readonly iban: string; readonly currency: string }[];
}
/** What the form before did. */
export interface Done {
  readonly created?: Created;
  readonly done?: string;
  readonly refusal?: Html;
}
/** What can be simulated. */
export interface Outcomes {
  readonly values: readonly string[];
  /** What each of them does. */
  readonly meaning: string;
}
export interface People extends Done {
  readonly outcomes: Outcomes;
  readonly people: Listed<OwnPsu>;
  readonly session: Session;
  /** The form that was sent; its values stay in the fields. */
  readonly form: URLSearchParams;
  /** The currency of the bank's payments. */
  readonly currency: string;
}

/** People and accounts for tests. */
export const peoplePage = (shown: People): Html => {
  const { session, form, currency, outcomes, people, created, done, refusal } = shown;
  return workspacePage({
    session,
    path: '/workspace/people',
    title: 'People',
    body: html`${refusal} ${done === undefined ? undefined : note('good', done)}
      ${created === undefined ? undefined : createdShown(created)}
      <p class="lead">
        Create people of your own, so that the tests of others do not change their balance. Their one-time
        code is always <code>123456</code>.
      </p>
      ${people.items.length === 0 ? undefined : peopleShown(people)}
      <div class="forms">
        ${part(
          session,
          'create',
          'Create a person',
          html`${input('name', 'Name', form, { needed: false })}
          ${input('currency', 'Currency', form, { fallback: currency })}
          ${input('opening', 'Opening balance', form, { fallback: '1000.00' })}`,
        )}
        ${part(
          session,
          'deposit',
          'Deposit money',
          html`${input('iban', 'IBAN', form)} ${input('amount', 'Amount', form, { fallback: '100.00' })}
          ${input('currency', 'Currency', form, { fallback: currency })}`,
        )}
        ${part(
          session,
          'status',
          'Block or close an account',
          html`${input('iban', 'IBAN', form)}
          ${choice('status', 'Status', form, ['enabled', 'blocked', 'closed'])}`,
        )}
        ${part(
          session,
          'simulate',
          'Choose what happens next',
          html`${input('psuId', 'PSU-ID', form)}
            ${choice('outcome', 'The next payment or call', form, outcomes.values)}
            <p class="quiet">${outcomes.meaning}</p>`,
        )}
      </div>`,
  });
};

const peopleShown = ({ items, next }: Listed<OwnPsu>): Html =>
  html`<ul class="rows">
      ${items.map(
        ({ psuId, name, corporateId, accounts }) =>
          html`<li>
            <p><b>${psuId}</b> ${name} ${corporateId}</p>
            <ul>
              ${accounts.map(
                ({ iban, currency, status, balance }) =>
                  html`<li>
                    <code>${iban}</code> ${balance} ${currency}
                    ${status === 'enabled' ? undefined : html`<span class="pill attention">${status}</span>`}
                  </li>`,
              )}
            </ul>
          </li>`,
      )}
    </ul>
    ${earlier('/workspace/people', next)}`;

const createdShown = ({ psuId, password, accounts }: Created): Html =>
  html`${note('attention', 'Copy the password now. It is not shown again.')}
  ${codeBlock(
    'New person',
    [
      `PSU-ID    ${psuId}`,
      `Password  ${password}`,
      ...accounts.map(({ iban, currency }) => `Account   ${iban} ${currency}`),
    ].join('\n'),
  )}`;

const part = (session: Session, action: string, title: string, fields: Html): Html =>
  html`<section class="part" aria-labelledby="${action}">
    <h2 id="${action}">${title}</h2>
    <form class="form" method="post" action="/workspace/people">
      ${csrfField(session)} ${keyField()} <input type="hidden" name="action" value="${action}" /> ${fields}
      <p><button class="button">${title}</button></p>
    </form>
  </section>`;

const input = (
  name: string,
  label: string,
  form: URLSearchParams,
  { fallback = '', needed = true }: { readonly fallback?: string; readonly needed?: boolean } = {},
): Html =>
  html`<label
    >${label}
    <input
      name="${name}"
      value="${form.get(name) ?? fallback}"
      maxlength="140"
      ${needed ? html`required` : undefined}
    />
  </label>`;

const choice = (name: string, label: string, form: URLSearchParams, options: readonly string[]): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${options.map((value) => html`<option ${form.get(name) === value ? html`selected` : undefined}>${value}</option>`)}
    </select>
  </label>`;
