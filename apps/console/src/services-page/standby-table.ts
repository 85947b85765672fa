import { isWaitedFor, missingStandbys, type Standby, standbyLag } from '@xs2a/doctor/standbys';
import { type Html, html } from '@xs2a/html/html';
import { describeLoss } from '@xs2a/postgres/replication';
import type { Standbys } from './standbys.js';

/** Renders one row per connected standby of the PostgreSQL server, and one per missing standby named in `synchronous_standby_names`. */
export const standbyTable = (found: Standbys): Html => {
  const { standbyNames, standbys } = found;
  const missing = missingStandbys(standbyNames, standbys);
  const loss = describeLoss(found);
  return html`<table>
      <caption>
        Standbys
      </caption>
      <thead>
        <tr>
          <th scope="col">standby</th>
          <th scope="col">state</th>
          <th scope="col">commits wait for it</th>
          <th scope="col" class="number">behind</th>
        </tr>
      </thead>
      <tbody>
        ${standbys.map(standbyRow)}
        ${missing.map(
          (name) =>
            html`<tr class="is-problem">
              <td><b>${name === '*' ? 'any' : name}</b></td>
              <td><span class="pill problem">missing</span></td>
              <td>named in synchronous_standby_names, and not connected</td>
              <td class="number">–</td>
            </tr>`,
        )}
        ${
          standbys.length + missing.length === 0
            ? html`<tr>
                <td colspan="4">None is connected, and none is configured.</td>
              </tr>`
            : undefined
        }
      </tbody>
    </table>
    ${loss === undefined ? undefined : html`<p class="quiet">${loss}.</p>`}`;
};

const standbyRow = (standby: Standby): Html => {
  const { name, state, syncState } = standby;
  const isStreaming = state === 'streaming';
  return html`<tr ${isStreaming ? undefined : html`class="is-attention"`}>
    <td><b>${name}</b></td>
    <td>
      <span class="pill ${isStreaming ? 'good' : 'attention'}"
        >${state ?? 'not visible without pg_read_all_stats'}</span
      >
    </td>
    <td>${isWaitedFor(standby) ? 'yes' : 'no'} (${syncState ?? '?'})</td>
    <td class="number">${standbyLag(standby)}</td>
  </tr>`;
};
