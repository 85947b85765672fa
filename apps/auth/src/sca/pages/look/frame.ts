import { type Html, html } from '@xs2a/html/html';
import { type Language, languages } from '../../catalogue/catalogue.js';
import { catalogues } from '../../catalogue/catalogues.js';
import { type BankLook, lookPath } from './bank-look.js';

/** The top of every page: in a sandbox that nothing is real, then the bank and the link to the other language. */
export const pageHeader = (look: BankLook, language: Language, path: string | undefined): Html => {
  const { frame } = catalogues[language];
  const ribbon =
    look.sandboxUrl === undefined
      ? undefined
      : html`<p class="ribbon">${frame.sandbox} <a href="${look.sandboxUrl}">${frame.sandboxLink}</a></p>`;
  return html`<header>
    ${ribbon}
    <div class="bar">
      <p class="bank"><img src="${lookPath(look, 'logo')}" alt="" /> ${look.name[language]}</p>
      ${path === undefined ? undefined : otherLanguages(language, path)}
    </div>
  </header>`;
};

const otherLanguages = (current: Language, path: string): Html =>
  html`${languages
    .filter((language) => language !== current)
    .map(
      (language) =>
        html`<a lang="${language}" hreflang="${language}" href="${path}?lang=${language}"
          >${catalogues[language].languageName}</a
        >`,
    )}`;

/** A phone number that stays on one line of a text. */
export const unbrokenPhone = (phone: string): string => phone.replaceAll(' ', '\u00a0');

/** A link that can be called on a phone. */
export const phoneLink = (phone: string): Html =>
  html`<a class="phone" href="tel:${phone.replaceAll(/[^\d+]/g, '')}">${phone}</a>`;

/** The foot of every page: how to recognise the bank, whom to call, and the way to what the PSU has approved. */
export const pageFooter = ({ origin, phone, helpUrl, privacyUrl }: BankLook, language: Language): Html => {
  const { frame } = catalogues[language];
  const links = [
    { href: '/sca/payments', text: frame.approvals },
    { href: helpUrl, text: frame.help },
    { href: privacyUrl, text: frame.privacy },
  ].filter(({ href }) => href !== undefined);
  return html`<footer>
    <p>${frame.realBank} <b class="origin">${origin}</b>. ${frame.unsure} ${phoneLink(phone)}.</p>
    <p class="links">
      ${links.map(({ href, text }, at) => html`${at === 0 ? '' : ' · '}<a href="${href}">${text}</a>`)}
    </p>
  </footer>`;
};

/** How far the PSU has come, and how long the request stays open. */
export interface Progress {
  /** The number of the step, from 1. */
  readonly at: number;
  readonly of: number;
  /** The whole minutes until the request expires. */
  readonly minutesLeft?: number;
}

export const progressBar = ({ at, of, minutesLeft }: Progress, language: Language): Html => {
  const { frame } = catalogues[language];
  return html`<p class="steps">
      <span>${frame.step(at, of)}</span>
      ${minutesLeft === undefined ? undefined : html`<span>${frame.minutesLeft(minutesLeft)}</span>`}
    </p>
    <div class="bars" aria-hidden="true">
      ${Array.from({ length: of }, (_bar, index) => html`<i${index < at ? html` class="on"` : undefined}></i>`)}
    </div>`;
};
