import { type Html, html } from '@xs2a/html/html';
import { catalogues } from '../catalogue/catalogues.js';
import type { View } from '../page/page.js';
import type { Answer, PageRequest } from '../page/page-request.js';

/** The buttons of an initiation form: sign at the bank now, or save for a basket. */
export const goOnButtons = ({ language }: View): Html => {
  const { pay, basket } = catalogues[language];
  return html`<div class="buttons">
    <button>${pay.submit}</button>
    <button class="quietly" name="then" value="basket">${basket.layAside}</button>
  </div>`;
};

/** The answer to the form once the bank has the initiation: a redirect to the signature, or to the choice of a basket's items. */
export const goOn = ({ session, form }: PageRequest, scaRedirect: string): Answer => {
  if (form.get('then') !== 'basket') return { redirect: scaRedirect };
  session.notice = 'laid-aside';
  return { redirect: '/baskets' };
};
