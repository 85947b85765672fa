import type { ReadModelReport } from '@xs2a/contracts/console/read-model.contract';
import { type Html, html } from '@xs2a/html/html';
import { copyable } from '../copy/copyable.js';
import { timeOf } from '../pages/times.js';
import type { ReadModelReports } from './read-models.js';

/**
 * Renders one row per read model with the `xs2a` command that rebuilds it. The console itself cannot rebuild a read model, because it
 * does not have the rights of the schema's owner (ADR 91).
 */
export const readModelTable = (reports: ReadModelReports): Html =>
  html`<table>
    <caption>
      Read models
    </caption>
    <thead>
      <tr>
        <th scope="col">read model</th>
        <th scope="col">service</th>
        <th scope="col">state</th>
        <th scope="col" class="number">position</th>
        <th scope="col" class="number">behind</th>
        <th scope="col">rebuilt (UTC)</th>
        <th scope="col">rebuild</th>
      </tr>
    </thead>
    <tbody>
      ${reports.map(([service, { answer, missing }]) =>
        answer === undefined
          ? html`<tr class="is-problem">
              <td>–</td>
              <td><b>${service}</b></td>
              <td colspan="5"><span class="pill problem">not known</span> ${missing} did not answer</td>
            </tr>`
          : answer.map((report) => readModelRow(service, report)),
      )}
    </tbody>
  </table>`;

const readModelRow = (service: string, report: ReadModelReport): Html => {
  const { name, version, isOutdated, pos, behind, rebuiltAt } = report;
  return html`<tr ${isOutdated ? html`class="is-problem"` : undefined}>
    <td><b>${name}</b></td>
    <td>${service}</td>
    <td>
      ${isOutdated ? html`<span class="pill problem">outdated</span>` : html`<span class="pill good">${version === undefined ? 'with each event' : 'follows the log'}</span>`}
    </td>
    <td class="number">${pos}</td>
    <td class="number">${behind}</td>
    <td class="mono">${rebuiltAt === undefined ? '–' : timeOf(rebuiltAt)}</td>
    <td class="commands">${copyable(`xs2a projections rebuild ${name}`)}</td>
  </tr>`;
};
