import type { PsuConsent } from '@xs2a/contracts/consents.contract';
import type { FundsGrant } from '../../oauth/grants/funds-grants.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { accountFigure } from './figures.js';
import { type Html, html } from '@xs2a/html/html';
import { dateText } from './language.js';
import { askFold, type ListView } from './own-form.js';
import { rowList } from './row-list.js';

/** A consent with the name of its TPP. */
export type NamedConsent = PsuConsent & { readonly tppName: string };
export type NamedFundsGrant = FundsGrant & { readonly tppName: string };

const getState = ({ consentStatus }: PsuConsent): keyof Catalogue['apps']['status'] => {
  if (consentStatus === 'valid') return 'valid';
  return ['received', 'partiallyAuthorised'].includes(consentStatus) ? 'waiting' : 'ended';
};

/**
 * The apps with access: each consent with a form to withdraw it (contract 12), and the ended ones folded. Grants for
 * funds confirmation are listed with the valid consents.
 */
export const appsList = (
  view: ListView,
  consents: readonly NamedConsent[],
  grants: readonly NamedFundsGrant[],
): Html => {
  const { apps } = catalogues[view.language];
  const current = consents.filter((consent) => getState(consent) !== 'ended');
  const ended = consents.filter((consent) => getState(consent) === 'ended');
  const entries = (some: readonly NamedConsent[], granted: readonly NamedFundsGrant[] = []): Html =>
    html`<ul class="entries">
      ${some.map((consent) => consentEntry(view, consent))}${granted.map((grant) => fundsEntry(view, grant))}
    </ul>`;
  return html`${current.length + grants.length === 0 ? html`<p>${apps.none}</p>` : entries(current, grants)}
  ${
    ended.length === 0
      ? undefined
      : html`<details>
          <summary>${apps.ended(ended.length)}</summary>
          ${entries(ended)}
        </details>`
  }`;
};

const consentEntry = (view: ListView, consent: NamedConsent): Html => {
  const { apps, row, value } = catalogues[view.language];
  const day = (iso: string): string => dateText(iso, view.language, view.timeZone);
  const accounts = consent.accounts.map(
    ({ iban, access }) =>
      html`<li>
        ${accountFigure(iban)} <small>${access.map((type) => value.access[type]).join(', ')}</small>
      </li>`,
  );
  const state = getState(consent);
  const rows = [
    {
      label: row.which,
      value: html`<ul>
        ${accounts}
      </ul>`,
    },
    { label: row.howLong, value: value.until(day(consent.validUntil)) },
  ];
  const used = consent.lastUsedAt === undefined ? '' : `, ${apps.lastUsed(day(consent.lastUsedAt))}`;
  return html`<li>
    <h3>${consent.tppName}</h3>
    <p class="quiet"><span class="state ${state}">${apps.status[state]}</span>${used}</p>
    ${rowList(rows)} ${consent.recentUses.length === 0 ? undefined : recentUses(view, consent.recentUses)}
    ${state === 'ended' ? undefined : withdrawForm(view, consent.tppName, 'consentId', consent.consentId)}
  </li>`;
};

const recentUses = ({ language, timeZone }: ListView, times: readonly string[]): Html =>
  html`<details>
    <summary>${catalogues[language].apps.recentUses(times.length)}</summary>
    <ul>
      ${times.map((at) => html`<li>${dateText(at, language, timeZone)}</li>`)}
    </ul>
  </details>`;

const fundsEntry = (view: ListView, { tppId, tppName, until }: NamedFundsGrant): Html => {
  const { apps, row, value } = catalogues[view.language];
  return html`<li>
    <h3>${tppName}</h3>
    <p class="quiet"><span class="state valid">${apps.status.valid}</span></p>
    ${rowList([
      { label: row.which, value: value.allAccounts },
      { label: row.what, value: value.yesOrNo },
      { label: row.howLong, value: value.until(dateText(until, view.language, view.timeZone)) },
    ])}
    ${withdrawForm(view, tppName, 'fundsOf', tppId)}
  </li>`;
};

const withdrawForm = (
  view: ListView,
  tppName: string,
  what: 'consentId' | 'fundsOf',
  value: string,
): Html => {
  const { apps } = catalogues[view.language];
  return askFold(view, {
    field: what,
    value,
    decision: 'withdraw',
    open: apps.withdraw,
    warning: apps.withdrawAsk(tppName),
    submit: apps.withdrawNow,
    label: apps.withdrawLabel(tppName),
  });
};
