import { type Html, html } from '@xs2a/html/html';
import { catalogues } from '../catalogue/catalogues.js';
import type { View } from '../page/page.js';
import type { Answer, PageRequest } from '../page/page-request.js';

/** The buttons of a form that initiates something: sign it at the bank now, or lay it aside for a basket. */
export const goOnButtons = ({ language }: View): Html => {
  const { pay, basket } = catalogues[language];
  return html`<div class="buttons">
    <button>${pay.submit}</button>
    <button class="quietly" name="then" value="basket">${basket.layAside}</button>
  </div>`;
};

/** The answer to the form once the bank has the initiation: the way to sign it, or to the choice for a basket. */
export const goOn = ({ session, form }: PageRequest, scaRedirect: string): Answer => {
  if (form.get('then') !== 'basket') return { redirect: scaRedirect };
  session.notice = 'laid-aside';
  return { redirect: '/baskets' };
};
