import { durationText } from '@xs2a/doctor/durations';
import { type Html, html } from '@xs2a/html/html';
import type { Session } from './session.js';
import { instant } from './instant.js';
import { note, csrfField, workspacePage } from './workspace-page.js';

export interface ClockMove {
  readonly clientId: string;
  /** An ISO 8601 duration. */
  readonly advance: string;
  /** In real time. */
  readonly movedAt: string;
}
/** What falls due of the TPP's own. */
export interface Due {
  /** An ISO instant, or the date of a day at whose end it is. */
  readonly at: string;
  readonly what: Html;
}
export interface ClockShown {
  readonly session: Session;
  /** The sandbox's time, as an ISO instant. */
  readonly now: string;
  /** By how much it is ahead of real time. */
  readonly offsetMs: number;
  readonly isFixed: boolean;
  /** The latest moves, newest first. */
  readonly moves: readonly ClockMove[];
  readonly due: readonly Due[];
  /** True if the user has just moved it. */
  readonly hasMoved: boolean;
  readonly refusal?: Html;
  /** What the user asked for. */
  readonly advance?: string;
}

const steps = [
  ['PT2M', '2 minutes', 'a signed payment is due'],
  ['PT10M', '10 minutes', 'a customer’s access token has expired'],
  ['PT1H', '1 hour', 'an application’s token has expired'],
  ['P1D', '1 day', 'the next execution day'],
  ['P31D', '31 days', 'a monthly standing order is due'],
] as const;

/** The clock that every service of the sandbox reads. */
export const clockPage = (shown: ClockShown): Html => {
  const { session, now, offsetMs, isFixed, hasMoved, moves, due, refusal, advance = '' } = shown;
  return workspacePage({
    session,
    path: '/workspace/clock',
    title: 'Clock',
    body: html`${refusal}
      ${hasMoved ? note('good', html`The clock has moved. It is ${instant(now)}.`) : undefined}
      <p class="lead">
        The sandbox’s clock shows
        ${instant(now)}${offsetMs === 0 ? ', which is real time' : `, ${durationText(offsetMs)} ahead of real time`}.
      </p>
      ${
        isFixed
          ? html`<p>
              Many applications share this sandbox, so nobody can move its clock. A single payment is executed
              at once by <a href="/reference/settlePayment">settle</a>, and
              <a href="/reference/expirePayment">expire</a> ends one as its time would.
            </p>`
          : moving(session, advance)
      }
      <h2>What falls due next</h2>
      ${dueShown(due)} ${moves.length === 0 ? undefined : movesShown(session, moves)}`,
  });
};

const dueShown = (due: readonly Due[]): Html =>
  due.length === 0
    ? html`<p>
        None of your newest payments has an execution day or time, and none of your newest consents is valid.
      </p>`
    : html`<ul class="rows calls">
        ${due.map(
          ({ at, what }) =>
            html`<li>${at.includes('T') ? instant(at) : html`<span>end of ${at}</span>`} ${what}</li>`,
        )}
      </ul>`;

const movesShown = ({ tpp }: Session, moves: readonly ClockMove[]): Html =>
  html`<h2>Who moved the clock</h2>
    <p class="quiet">The times are real time.</p>
    <ul class="rows calls">
      ${moves.map(
        ({ clientId, advance, movedAt }) =>
          html`<li>
            <span class="quiet">${instant(movedAt)}</span> <code>${advance}</code>
            <span>${clientId === tpp?.clientId ? 'you' : html`<code>${clientId}</code>`}</span>
          </li>`,
      )}
    </ul>`;

const moving = (session: Session, advance: string): Html =>
  html`<p>
      The clock moves forward only, for everybody who uses this sandbox: tokens expire, orders fall due,
      consents end. To execute one payment, use <a href="/reference/settlePayment">settle</a> instead.
    </p>
    <form class="form" method="post" action="/workspace/clock">
      ${csrfField(session)}
      <p class="choices">
        ${steps.map(
          ([value, name, effect]) =>
            html`<button class="button second" name="advance" value="${value}">
              ${name} <span class="quiet block">${effect}</span>
            </button>`,
        )}
      </p>
    </form>
    <form class="form" method="post" action="/workspace/clock">
      ${csrfField(session)}
      <label
        >Another duration <span class="quiet">in ISO 8601, such as <code>PT1H30M</code></span>
        <input name="advance" value="${advance}" required maxlength="40" />
      </label>
      <p><button class="button">Move the clock</button></p>
    </form>`;
