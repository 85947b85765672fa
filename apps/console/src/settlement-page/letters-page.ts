import type { SettlementLetter, SettlementLetterRef } from '@xs2a/contracts/settlement.contract';
import { type Html, html } from '@xs2a/html/html';
import { actionForm } from '../actions/action-form.js';
import { timeOf } from '../pages/times.js';

/** The most dead letters that are shown. */
export const maxLetters = 100;

/** The id in the format of the command: `settlement:104`. */
export const letterId = ({ consumer, pos }: SettlementLetterRef): string => `${consumer}:${pos}`;

export const parseLetterId = (text: string): SettlementLetterRef | undefined => {
  const [, consumer, pos] = /^([\w.-]{1,100}):(-?\d{1,15})$/.exec(text) ?? [];
  return consumer === undefined ? undefined : { consumer, pos: Number(pos) };
};

const pathOf = (letter: SettlementLetterRef): string => `/settlement/letters/${letterId(letter)}`;

export const letterTable = (letters: readonly SettlementLetter[]): Html | undefined =>
  letters.length === 0
    ? undefined
    : html`<section class="card wide" tabindex="0" aria-label="Dead letters">
        <table>
          <caption>
            Dead letters: events that the worker could not handle, oldest
            first${letters.length === maxLetters ? `, the first ${maxLetters}` : ''}
          </caption>
          <thead>
            <tr>
              <th scope="col">letter</th>
              <th scope="col">since (UTC)</th>
              <th scope="col">subject</th>
              <th scope="col">reason</th>
              <th scope="col">replay</th>
            </tr>
          </thead>
          <tbody>
            ${letters.map(
              (letter) =>
                html`<tr class="is-problem">
                  <td class="mono"><a href="${pathOf(letter)}">${letterId(letter)}</a></td>
                  <td class="mono">${timeOf(letter.addedAt)}</td>
                  <td class="mono">${letter.subject}</td>
                  <td>${letter.reason}</td>
                  <td>${letter.replay ?? ''}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </section>`;

/** One dead letter with its masked event. `csrf` is undefined for a person who may not act. */
export const letterBody = (letter: SettlementLetter, csrf: string | undefined): Html => html`
  <section class="card" aria-label="Dead letter">
    <h2 class="mono">${letterId(letter)}</h2>
    <dl class="pairs">
      <dt>subject</dt>
      <dd class="mono">${letter.subject}</dd>
      <dt>since (UTC)</dt>
      <dd class="mono">${timeOf(letter.addedAt)}</dd>
      <dt>reason</dt>
      <dd>${letter.reason}</dd>
      <dt>replay</dt>
      <dd>${letter.replay ?? 'not requested'}</dd>
    </dl>
  </section>
  <section class="card wide" tabindex="0" aria-label="Event">
    ${letter.event === null ? html`<p>The message is not JSON.</p>` : html`<pre>${letter.event}</pre>`}
  </section>
  ${csrf === undefined ? undefined : forms(letter, csrf)}
`;

const forms = (letter: SettlementLetter, csrf: string): Html => html`
  <section class="card" aria-label="Replay">
    <h2>Replay</h2>
    ${actionForm({
      csrf,
      to: '/settlement/letters/replay',
      does: 'The worker handles the event again. It is removed if that succeeds, and kept with the reason if not. Its effect happens once.',
      button: 'Replay',
      command: `xs2a dead-letters replay ${letterId(letter)}`,
      hidden: { letter: letterId(letter) },
    })}
  </section>
  <section class="card" aria-label="Discard">
    <h2>Discard</h2>
    ${actionForm({
      csrf,
      to: '/settlement/letters/discard',
      does: 'The event is deleted, and the worker never handles it. Payments that are due settle all the same: an event only makes the worker look sooner.',
      button: 'Discard for good',
      command: `xs2a dead-letters discard ${letterId(letter)} --yes`,
      hidden: { letter: letterId(letter) },
    })}
  </section>
`;
