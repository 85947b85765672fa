import type { PsuConsent } from '@xs2a/contracts/consents.contract';
import type { FundsGrant } from '../../oauth/grants/funds-grants.js';
import type { Catalogue, Language, Notice } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { accountFigure } from './figures.js';
import { type Html, html } from '@xs2a/html/html';
import { dateText } from './language.js';
import { type Page, page } from './page.js';
import { rowList } from './row-list.js';

export interface ListView {
  readonly language: Language;
  readonly path: string;
  readonly csrf: string;
  readonly version: number;
  readonly notice?: Notice;
  readonly timeZone: string;
}
/** A consent with the name of its TPP. */
export type NamedConsent = PsuConsent & { readonly tppName: string };
export type NamedFundsGrant = FundsGrant & { readonly tppName: string };

const listForm = (view: ListView, body: Html): Html =>
  html`<form method="post" action="${view.path}">
    <input type="hidden" name="csrf" value="${view.csrf}" />
    <input type="hidden" name="step" value="list" />
    <input type="hidden" name="version" value="${String(view.version)}" />
    ${body}
  </form>`;

export const signOut = (view: ListView): Html =>
  listForm(
    view,
    html`<div class="actions">
      <button name="decision" value="cancel">${catalogues[view.language].signOut}</button>
    </div>`,
  );

/** The navigation between the PSU's own pages. */
export const places = ({ language, path }: ListView): Html => {
  const { apps, payments, places: label } = catalogues[language];
  const list = [
    { to: '/sca/apps', title: apps.title },
    { to: '/sca/payments', title: payments.title },
  ];
  return html`<nav class="places" aria-label="${label}">
    ${list.map(({ to, title }) =>
      to === path
        ? html`<a href="${to}" aria-current="page">${title}</a>`
        : html`<a href="${to}">${title}</a>`,
    )}
  </nav>`;
};

const getState = ({ consentStatus }: PsuConsent): keyof Catalogue['apps']['status'] => {
  if (consentStatus === 'valid') return 'valid';
  return ['received', 'partiallyAuthorised'].includes(consentStatus) ? 'waiting' : 'ended';
};

/**
 * The page of the PSU's consents: each valid one with a form to withdraw it (contract 12), and the others
 * collapsed. Grants for funds confirmation are listed with the valid consents.
 */
export const appsPage = (
  view: ListView,
  consents: readonly NamedConsent[],
  grants: readonly NamedFundsGrant[],
): Page => {
  const { apps } = catalogues[view.language];
  const current = consents.filter((consent) => getState(consent) !== 'ended');
  const ended = consents.filter((consent) => getState(consent) === 'ended');
  const entries = (some: readonly NamedConsent[], granted: readonly NamedFundsGrant[] = []): Html =>
    html`<ul class="entries">
      ${some.map((consent) => consentEntry(view, consent))}${granted.map((grant) => fundsEntry(view, grant))}
    </ul>`;
  const body = html`<p>${apps.lead}</p>
    ${current.length + grants.length === 0 ? html`<p>${apps.none}</p>` : entries(current, grants)}
    ${
      ended.length === 0
        ? undefined
        : html`<details>
            <summary>${apps.ended(ended.length)}</summary>
            ${entries(ended)}
          </details>`
    }
    ${signOut(view)}`;
  return page({ ...view, title: apps.title, body, above: places(view) });
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
    <h2>${consent.tppName}</h2>
    <p class="quiet"><span class="state ${state}">${apps.status[state]}</span>${used}</p>
    ${rowList(rows)}
    ${state === 'ended' ? undefined : withdrawForm(view, consent.tppName, 'consentId', consent.consentId)}
  </li>`;
};

const fundsEntry = (view: ListView, { tppId, tppName, until }: NamedFundsGrant): Html => {
  const { apps, row, value } = catalogues[view.language];
  return html`<li>
    <h2>${tppName}</h2>
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
  return listForm(
    view,
    html`<input type="hidden" name="${what}" value="${value}" />
      <button name="decision" value="withdraw" aria-label="${apps.withdrawLabel(tppName)}">
        ${apps.withdraw}
      </button>`,
  );
};
