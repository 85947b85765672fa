import { type Html, html } from '@xs2a/html/html';
import { catalogues } from '../catalogue/catalogues.js';
import { appsList, type NamedConsent, type NamedFundsGrant } from './apps-list.js';
import { listForm, type ListView } from './own-form.js';
import { type Page, page } from './page.js';
import { type NamedPayment, paymentsList } from './payments-list.js';

/** Everything that a PSU has approved. A list is undefined if its service does not answer. */
export interface Approvals {
  readonly consents: readonly NamedConsent[] | undefined;
  readonly grants: readonly NamedFundsGrant[];
  /** The payments, periodic orders and bulk payments that the PSU signed, newest first. */
  readonly payments: readonly NamedPayment[] | undefined;
  /** Which part of the list this is, counted from 0, if there are several. After the first, there are only orders. */
  readonly part?: { readonly at: number; readonly of: number };
}

const isOrder = ({ service }: NamedPayment): boolean => service === 'periodic-payments';

/** The text in place of a list whose service does not answer. */
const missing = ({ language }: ListView): Html => html`<p>${catalogues[language].unavailable.text}</p>`;

const appsSection = (view: ListView, consents: Approvals['consents'], grants: Approvals['grants']): Html => {
  if (consents !== undefined) return appsList(view, consents, grants);
  return html`${missing(view)} ${grants.length === 0 ? undefined : appsList(view, [], grants)}`;
};

/** The links to all parts of a list of orders that is too long for one page. */
const partLinks = ({ language, path }: ListView, { at, of }: NonNullable<Approvals['part']>): Html => {
  const links = Array.from({ length: of }, (_, index) =>
    index === at
      ? html`<span aria-current="true">${String(index + 1)}</span>`
      : html`<a href="${path}?page=${String(index + 1)}#orders">${String(index + 1)}</a>`,
  );
  return html`<nav class="parts" aria-label="${catalogues[language].review.parts}">${links}</nav>`;
};

/** The PSU's own page: the apps with access, the standing orders and the payments (contract 12). */
export const approvalsPage = (view: ListView, { consents, grants, payments, part }: Approvals): Page => {
  const { approvals, apps, orders, payments: texts, signOut, places } = catalogues[view.language];
  const listed = (some: (payment: NamedPayment) => boolean, none: string): Html =>
    payments === undefined ? missing(view) : paymentsList(view, payments.filter(some), none);
  const sections = [
    { id: 'apps', title: apps.title, body: appsSection(view, consents, grants) },
    {
      id: 'orders',
      title: orders.title,
      body: html`${listed(isOrder, orders.none)} ${part && partLinks(view, part)}`,
    },
    { id: 'payments', title: texts.title, body: listed((one) => !isOrder(one), texts.none) },
  ].filter(({ id }) => id === 'orders' || (part?.at ?? 0) === 0);
  return page({
    ...view,
    title: approvals.title,
    above: html`<nav class="places" aria-label="${places}">
      ${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}
    </nav>`,
    body: html`<p>${approvals.lead}</p>
      ${sections.map(
        ({ id, title, body }) =>
          html`<section id="${id}">
            <h2>${title}</h2>
            ${body}
          </section>`,
      )}
      ${listForm(
        view,
        html`<div class="actions"><button name="decision" value="cancel">${signOut}</button></div>`,
      )}`,
  });
};
