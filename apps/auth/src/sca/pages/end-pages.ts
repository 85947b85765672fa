import { textOfCode } from '@xs2a/domain/payment/instant/instant-answer';
import { type Html, html } from '@xs2a/html/html';
import type { Language } from '../catalogue/catalogue.js';
import type { AuthorisationKind, ClosedReason, FailureReason, Subject } from '../catalogue/approval-kinds.js';
import { catalogues } from '../catalogue/catalogues.js';
import type { PageState } from '../page-sessions.js';
import type { Closed, Row } from '../requests/authorisation-request.js';
import type { InstantEnd } from '../requests/instant-end.js';
import { phoneLink } from './look/frame.js';
import { hero, type Tone } from './look/hero.js';
import type { IconName } from './look/icons.js';
import { timeText } from './language.js';
import { type Page, page } from './page.js';
import { headline, listRows } from './review-parts.js';
import { rowList } from './row-list.js';

type Ended = NonNullable<PageState['result']>;

const subjects: Readonly<Record<AuthorisationKind, Subject>> = {
  payment: 'payment',
  order: 'order',
  bulk: 'bulk',
  basket: 'basket',
  consent: 'access',
  renewal: 'access',
  funds: 'access',
};

/** What a last page shows besides the outcome. */
export interface EndView {
  readonly language: Language;
  readonly path: string;
  /** What was approved or not, for a PSU who took part in it. */
  readonly receipt?: readonly Row[];
  /** What became of an instant payment that was signed. */
  readonly instantEnd?: InstantEnd;
  /** True if the browser loads the page again until the end is known. */
  readonly isRenewed?: boolean;
  /** The bank's time zone. */
  readonly timeZone?: string;
  /** The TPP's address, if the browser may return to it. */
  readonly back?: string;
}

interface Verdict {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  /** The box below the receipt. */
  readonly box?: Html | ((phone: string) => Html);
}

const box = (title: string, body: Html): Html =>
  html`<section class="next">
    <h2>${title}</h2>
    ${body}
  </section>`;

const verdictOnInstant = (
  { language, isRenewed = false }: EndView,
  end: InstantEnd,
  tppName: string,
): Verdict => {
  const { failed, instant, notified } = catalogues[language].ends;
  if (end.kind === 'settled') return { tone: 'good', icon: 'check', ...instant.settled };
  if (end.kind === 'under-way') {
    const { title, text, unknown } = instant.underWay;
    return { tone: 'wait', icon: 'clock', title, text: isRenewed ? text : unknown };
  }
  const title = `${failed.payment.title}: ${textOfCode(instant.reason, end.reasonCode)}`;
  return { tone: 'bad', icon: 'x', title, text: `${instant.rejected} ${notified(tppName)}` };
};

const verdictOn = (
  view: EndView,
  { kind, tppName, outcome, isCosigned = false, lockedUntil }: Ended,
): Verdict => {
  const { language, timeZone = 'UTC', instantEnd } = view;
  const { ends } = catalogues[language];
  const subject = subjects[kind];
  if (lockedUntil !== undefined)
    return lock(language, subject, tppName, timeText(lockedUntil, language, timeZone));
  const hasSigned = outcome.kind === 'authorised' || outcome.kind === 'partly';
  if (hasSigned && instantEnd !== undefined) return verdictOnInstant(view, instantEnd, tppName);
  if (outcome.kind === 'authorised') {
    const { title, text, next } = ends.done[subject];
    const steps = html`<ol>
      ${next(tppName).map((step) => html`<li>${step}</li>`)}
    </ol>`;
    return { tone: 'good', icon: 'check', title, text: text(tppName), box: box(ends.next, steps) };
  }
  if (outcome.kind === 'partly') {
    const { missing } = outcome;
    const title = ends.partlyTitle(missing);
    return { tone: 'wait', icon: 'users', title, text: ends.partly[subject] };
  }
  if (outcome.kind === 'unchanged') {
    const text = ends.unchanged[outcome.reason](ends.subject[subject]);
    return { tone: 'plain', icon: 'info', title: ends.unchangedTitle, text };
  }
  const verdict = failure(language, subject, tppName, outcome.reason);
  // A PSU who refused what another signer had started knows who started it.
  return isCosigned && refusals.has(outcome.reason) ? { ...verdict, box: undefined } : verdict;
};

const refusals = new Set<FailureReason>(['psu-refused', 'psu-cancelled']);

const lock = (language: Language, subject: Subject, tppName: string, time: string): Verdict => {
  const { ends } = catalogues[language];
  const steps = (phone: string): Html =>
    html`<ol>
      <li>${ends.locked.wait(time, tppName)}</li>
      <li>${ends.notYou} ${ends.callUs} ${phoneLink(phone)}.</li>
    </ol>`;
  return {
    tone: 'locked',
    icon: 'lock',
    title: ends.locked.title(time),
    text: `${ends.locked.text} ${ends.failed[subject].text}`,
    box: (phone) => box(ends.locked.next, steps(phone)),
  };
};

const failure = (language: Language, subject: Subject, tppName: string, reason: FailureReason): Verdict => {
  const { ends } = catalogues[language];
  const { title, text } = ends.failed[subject];
  const isLate = reason === 'not-authorised-in-time';
  return {
    tone: 'bad',
    icon: isLate ? 'clock' : 'x',
    title: `${title}: ${ends.reason[reason]}`,
    text: `${text} ${isLate ? ends.startAgain(tppName) : ends.notified(tppName)}`,
    box: (phone) =>
      box(
        ends.notYou,
        html`<p>${ends.callUs} ${phoneLink(phone)}. <a href="/sca/apps">${ends.seeApps}</a></p>`,
      ),
  };
};

const wayBack = (language: Language, tppName: string, back: string | undefined): Html => {
  const { ends } = catalogues[language];
  return back === undefined
    ? html`<p class="centre">${ends.close}</p>`
    : html`<a class="button" href="${back}">${ends.back(tppName)}</a>`;
};

/** The page that shows the outcome if the browser did not return to the TPP, or has come back from there. */
export const resultPage = (view: EndView, ended: Ended): Page => {
  const { language, path, receipt = [], back } = view;
  const { ends } = catalogues[language];
  const { tone, icon, title, text, box: below } = verdictOn(view, ended);
  const rows = listRows(receipt);
  return page({
    language,
    path,
    title,
    isTitled: true,
    body: ({ phone }) =>
      html`${hero(tone, icon, title, text)}
        <div class="receipt">
          ${headline(receipt, language)} ${rows.length === 0 ? undefined : rowList(rows)}
        </div>
        ${typeof below === 'function' ? below(phone) : below} ${wayBack(language, ended.tppName, back)}
        <p class="links"><a href="/sca/payments">${ends.seeApprovals}</a></p>`,
  });
};

const closedLooks: Readonly<Record<ClosedReason, readonly [Tone, IconName]>> = {
  unknown: ['plain', 'link'],
  used: ['plain', 'info'],
  signed: ['wait', 'users'],
  grouped: ['plain', 'users'],
  expired: ['wait', 'clock'],
};

/** The page of a link that has nothing left to decide: what it was for, if that is known, and the way on. */
export const closedPage = (
  { language, path, back }: EndView,
  { closed: reason, tppName, askedFor }: Pick<Closed, 'closed' | 'tppName' | 'askedFor'>,
): Page => {
  const { closed, ends, who } = catalogues[language];
  const { title, text } = closed[reason];
  const asked = tppName === undefined || askedFor === undefined ? '' : `${tppName} ${who.asked[askedFor]}. `;
  return page({
    language,
    path,
    title,
    isTitled: true,
    body: html`${hero(...closedLooks[reason], title, `${asked}${text(tppName)}`)}
      ${back === undefined || tppName === undefined ? undefined : wayBack(language, tppName, back)}
      <p class="links"><a href="/sca/payments">${ends.seeApprovals}</a></p>`,
  });
};

type PlainPage = 'unavailable' | 'unsure' | 'busy' | 'forbidden' | 'notFound';
const plainLooks: Readonly<Record<PlainPage, readonly [Tone, IconName]>> = {
  unavailable: ['wait', 'clock'],
  unsure: ['wait', 'clock'],
  busy: ['wait', 'users'],
  forbidden: ['plain', 'info'],
  notFound: ['plain', 'link'],
};

/** A page that contains only a message; `again` is the address that shows the PSU's current step. */
export const plainPage = (language: Language, name: PlainPage, again?: string): Page => {
  const { title, text } = catalogues[language][name];
  const { openAgain, ends } = catalogues[language];
  const way =
    again === undefined
      ? html`<p class="links"><a href="/sca/payments">${ends.seeApprovals}</a></p>`
      : html`<a class="button" href="${again}">${openAgain}</a>`;
  return page({
    language,
    title,
    isTitled: true,
    body: html`${hero(...plainLooks[name], title, text)} ${way}`,
  });
};

/** The page for an authorization request that cannot be answered with a redirect. `code` is an RFC 6749 error code. */
export const oauthErrorPage = (language: Language, code: string): Page => {
  const { oauthError, ends } = catalogues[language];
  const { title, text, code: label } = oauthError;
  return page({
    language,
    title,
    isTitled: true,
    body: html`${hero('plain', 'info', title, text)}
      <p class="centre quiet">${label}: ${code}</p>
      <p class="links"><a href="/sca/payments">${ends.seeApprovals}</a></p>`,
  });
};
