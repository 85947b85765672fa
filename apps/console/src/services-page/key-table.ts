import type { KeyReport } from '@xs2a/contracts/console/key.contract';
import { keyStates, signingKeyGuide, wrapAgain } from '@xs2a/doctor/keys';
import { type Html, html } from '@xs2a/html/html';
import { copyable } from '../copy/copyable.js';
import { timeOf } from '../pages/times.js';
import type { KeyReports } from './keys.js';

/** Renders one row per signing key or master key, and how to rotate each kind. It shows the names of the keys and no key material. */
export const keyTable = (reports: KeyReports): Html =>
  html`<table>
      <caption>
        Keys
      </caption>
      <thead>
        <tr>
          <th scope="col">key</th>
          <th scope="col">service</th>
          <th scope="col">used for</th>
          <th scope="col">state</th>
          <th scope="col">algorithm</th>
          <th scope="col">generated (UTC)</th>
        </tr>
      </thead>
      <tbody>
        ${reports.map(([service, { answer, missing }]) =>
          answer === undefined
            ? html`<tr class="is-problem">
                <td>–</td>
                <td><b>${service}</b></td>
                <td colspan="4"><span class="pill problem">not known</span> ${missing} did not answer</td>
              </tr>`
            : answer.map((report) => keyRow(service, report)),
        )}
      </tbody>
    </table>
    <p class="quiet">The keys that sign or verify are published at /oauth2/jwks.</p>
    <p class="quiet">
      How to replace a key that signs tokens and notifications, or dispute bundles: ${signingKeyGuide}
    </p>
    <p class="command">All personal data under the first master key: ${copyable(wrapAgain)}</p>`;

const keyRow = (service: string, { id, use, algorithm, state, madeAt }: KeyReport): Html => {
  const { level, text } = keyStates[state];
  return html`<tr ${level === 'problem' || level === 'attention' ? html`class="is-${level}"` : undefined}>
    <td class="mono"><b>${id}</b></td>
    <td>${service}</td>
    <td>${use}</td>
    <td><span class="pill ${level}">${state}</span> ${text}</td>
    <td>${algorithm}</td>
    <td class="mono">${madeAt === undefined ? '–' : timeOf(madeAt)}</td>
  </tr>`;
};
