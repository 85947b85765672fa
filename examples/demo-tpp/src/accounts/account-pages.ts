import { amountFigure, ibanFigure } from '@xs2a/html/figures';
import { type Html, html } from '@xs2a/html/html';
import type { Account, Movements, Transaction } from './account-information.js';
import { catalogues } from '../catalogue/catalogues.js';
import { form, page, type View } from '../page/page.js';

export const homePage = (view: View, isConnected: boolean): Html => {
  const { home, accounts } = catalogues[view.language];
  const connect = html`<h2>${home.connectTitle}</h2>
    <p>${home.connectText}</p>
    ${form(
      view,
      '/connect',
      html`<label for="psuId">${home.psuId}</label>
        <input id="psuId" name="psuId" autocomplete="off" autocapitalize="none" maxlength="64" required />
        <button>${home.connect}</button>`,
    )}`;
  const connected = html`<h2>${home.connectedText}</h2>
    <p><a href="/accounts">${accounts.title}</a></p>
    ${form(view, '/disconnect', html`<button class="quietly">${home.disconnect}</button>`)}`;
  return page(
    view,
    home.title,
    html`<p>${home.lead}</p>
      ${isConnected ? connected : connect}`,
  );
};

/** The balance that a person asks for first: what is available, if the bank returns it. */
const findBalance = ({ balances = [] }: Account) =>
  balances.find(({ balanceType }) => balanceType === 'expected') ?? balances[0];

export const accountsPage = (view: View, accounts: readonly Account[]): Html => {
  const { accounts: texts } = catalogues[view.language];
  const cards = accounts.map((account) => {
    const balance = findBalance(account);
    return html`<li>
      <div>
        <p>${ibanFigure(account.iban)}</p>
        <p class="quiet">${account.product ?? account.currency}</p>
        <p>
          <a href="/accounts/${account.resourceId}" aria-label="${texts.movements} ${account.iban}"
            >${texts.movements}</a
          >
        </p>
      </div>
      ${
        balance === undefined
          ? undefined
          : html`<p>
              <span class="quiet">${texts.balance}</span>
              <span class="amount">${amountFigure(balance.balanceAmount, view.language)}</span>
            </p>`
      }
    </li>`;
  });
  return page(
    view,
    texts.title,
    html`<ul class="cards">
      ${cards}
    </ul>`,
  );
};

export const connectFirstPage = (view: View): Html => {
  const { accounts, home } = catalogues[view.language];
  return page(
    view,
    accounts.title,
    html`<p>${accounts.connectFirst}</p>
      <p><a href="/">${home.connect}</a></p>`,
  );
};

export const movementsPage = (view: View, { account, transactions }: Movements): Html => {
  const { accounts: texts } = catalogues[view.language];
  const entries = [
    ...(transactions.pending ?? []).map((entry) => movement(view, entry, texts.waiting)),
    ...(transactions.booked ?? []).map((entry) => movement(view, entry, entry.bookingDate)),
  ];
  return page(
    view,
    texts.movementsOf,
    html`<p class="quiet">${ibanFigure(account.iban)}</p>
      ${
        entries.length === 0
          ? html`<p>${texts.none}</p>`
          : html`<ul class="cards">
              ${entries}
            </ul>`
      }
      <p><a href="/accounts">${texts.back}</a></p>`,
  );
};

const movement = ({ language }: View, entry: Transaction, when: string | undefined): Html =>
  html`<li>
    <div>
      <p>${entry.creditorName ?? entry.debtorName ?? ''}</p>
      <p class="quiet">
        ${[when, entry.remittanceInformationUnstructured].filter((part) => part !== undefined).join(' · ')}
      </p>
    </div>
    <p class="amount">${amountFigure(entry.transactionAmount, language)}</p>
  </li>`;
