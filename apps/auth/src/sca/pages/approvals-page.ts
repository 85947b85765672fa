import { html } from '@xs2a/html/html';
import { catalogues } from '../catalogue/catalogues.js';
import { appsList, type NamedConsent, type NamedFundsGrant } from './apps-list.js';
import { listForm, type ListView } from './own-form.js';
import { type Page, page } from './page.js';
import { type NamedPayment, paymentsList } from './payments-list.js';

/** Everything that a PSU has approved. */
export interface Approvals {
  readonly consents: readonly NamedConsent[];
  readonly grants: readonly NamedFundsGrant[];
  /** The payments, periodic orders and bulk payments that the PSU signed, newest first. */
  readonly payments: readonly NamedPayment[];
}

const isOrder = ({ service }: NamedPayment): boolean => service === 'periodic-payments';

/** The PSU's own page: the apps with access, the standing orders and the payments (contract 12). */
export const approvalsPage = (view: ListView, { consents, grants, payments }: Approvals): Page => {
  const { approvals, apps, orders, payments: texts, signOut, places } = catalogues[view.language];
  const sections = [
    { id: 'apps', title: apps.title, body: appsList(view, consents, grants) },
    { id: 'orders', title: orders.title, body: paymentsList(view, payments.filter(isOrder), orders.none) },
    {
      id: 'payments',
      title: texts.title,
      body: paymentsList(
        view,
        payments.filter((one) => !isOrder(one)),
        texts.none,
      ),
    },
  ];
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
