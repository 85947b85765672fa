import type { UnattendedCalls } from '@xs2a/contracts/timeline.contract';
import { type Html, html } from '@xs2a/html/html';
import { timeOf } from '../pages/times.js';

const names: Readonly<Record<UnattendedCalls['endpoint'], string>> = {
  accounts: 'list of accounts',
  account: 'account',
  balances: 'balances',
  transactions: 'transactions',
};

/** How many calls without the PSU a consent still permits, for each endpoint and account; nothing if it permits none. */
export const unattendedTable = (calls: readonly UnattendedCalls[] | undefined): Html | undefined => {
  if (calls === undefined || calls.length === 0) return undefined;
  return html`<section class="card wide" tabindex="0" aria-label="Calls without the PSU">
    <table>
      <caption>
        Calls without the PSU that are left, of those in 24 hours
      </caption>
      <thead>
        <tr>
          <th scope="col">account</th>
          <th scope="col">endpoint</th>
          <th scope="col" class="number">left</th>
          <th scope="col">next one (UTC, the bank’s clock)</th>
        </tr>
      </thead>
      <tbody>
        ${calls.map(
          ({ endpoint, account, left, limit, nextAt }) =>
            html`<tr>
              <td class="mono">${account ?? 'all'}</td>
              <td>${names[endpoint]}</td>
              <td class="number">${left} of ${limit}</td>
              <td class="mono">
                ${nextAt === null ? (left > 0 ? 'now' : 'never: for one use') : timeOf(nextAt)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
};
