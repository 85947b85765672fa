import { Get, Query } from '@nestjs/common';
import { readSettlementQueue, type SettlementQueue } from '@xs2a/contracts/payments.contract';
import { findPayments } from '@xs2a/contracts/console/payment-search.contract';
import { durationText } from '@xs2a/doctor/durations';
import { type Html, html } from '@xs2a/html/html';
import { commandLine } from '../pages/command-line.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { statusLegend, statusPill } from '../pages/status-pill.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { missingNotice } from '../parts/missing-parts.js';
import { Parts } from '../parts/parts.js';
import { encryptedSearchForm } from '../reveal/encrypted-search-page.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { foundTable, type ReadSearch, readForm, readSearch, searchForm } from './payment-search.js';

/** The most payments that a search shows. */
const limit = 100;

/** The page on which payments are found, and the unfinished ones counted. */
@StaffPages('payments')
export class PaymentsPageController {
  constructor(
    private readonly parts: Parts,
    private readonly frames: Frames,
  ) {}

  @Get()
  @ForRoles(...watchers)
  async list(@ThisVisit() visit: Visit, @Query() query: Readonly<Record<string, unknown>>): Promise<Html> {
    const form = readForm(query);
    const search = readSearch(form);
    const encrypted = visit.staff.roles.includes('operator') ? encryptedSearchForm(visit.csrf) : undefined;
    const body = html`${searchForm(form)} ${encrypted}
    ${search === undefined ? await this.unfinished() : await this.found(search, visit)}
    ${statusLegend('payments')}`;
    const command =
      search === undefined || 'wrong' in search
        ? 'xs2a settlement queue'
        : commandLine('xs2a payments find', {
            tpp: search.tppId,
            day: search.day,
            amount: search.amount === undefined ? undefined : form.amount,
          });
    return this.frames.show(visit, { title: 'Payments', body, command });
  }

  private async found(search: ReadSearch, { staff }: Visit): Promise<Html> {
    if ('wrong' in search) return html`<p class="card is-problem" role="alert">${search.wrong}</p>`;
    const found = await this.parts.ask(findPayments, { ...search, limit, operator: staff.name });
    return html`${missingNotice({ payments: found })}
    ${
      found.answer &&
      html`<section class="card wide" tabindex="0" aria-label="Found">${foundTable(found.answer)}</section>`
    }`;
  }

  private async unfinished(): Promise<Html> {
    const queue = await this.parts.ask(readSettlementQueue, { limit: 0 });
    return html`${missingNotice({ 'unfinished payments': queue })}
    ${
      queue.answer &&
      html`<section class="card wide" tabindex="0" aria-label="Unfinished">
        ${unfinishedTable(queue.answer)}
      </section>`
    }`;
  }
}

const meanings = {
  unsigned: 'wait for a signature',
  due: 'are due now',
  overdue: 'have been due for more than a minute',
} as const;

const unfinishedTable = ({ unfinished }: SettlementQueue): Html => {
  if (unfinished.length === 0) return html`<p>No payment waits for a signature, and none is due.</p>`;
  return html`<table>
    <caption>
      Unfinished payments
    </caption>
    <thead>
      <tr>
        <th scope="col">status</th>
        <th scope="col" class="number">payments</th>
        <th scope="col">state</th>
        <th scope="col">the oldest</th>
      </tr>
    </thead>
    <tbody>
      ${unfinished.map(
        ({ status, state, payments, seconds }) =>
          html`<tr ${state === 'overdue' ? html`class="is-problem"` : undefined}>
            <td>${statusPill(status)}</td>
            <td class="number">${payments}</td>
            <td>${meanings[state]}</td>
            <td>
              ${seconds < 0 ? `is rejected in ${durationText(-seconds * 1000)}` : `due for ${durationText(seconds * 1000)}`}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
};
