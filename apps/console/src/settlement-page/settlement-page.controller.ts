import { Get } from '@nestjs/common';
import { listLateInstants } from '@xs2a/contracts/instant/late-instants.contract';
import { readSettlementQueue } from '@xs2a/contracts/payments.contract';
import { listSettlementLetters, readUnfinishedTransactions } from '@xs2a/contracts/settlement.contract';
import { type Html, html } from '@xs2a/html/html';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { missingNotice } from '../parts/missing-parts.js';
import { Parts } from '../parts/parts.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { TppNames } from '../tpps/tpp-names.js';
import { lateInstantTable } from './late-instants.js';
import { letterTable, maxLetters } from './letters-page.js';
import { maxRows, queueFigures, queueTable, transactionTable } from './settlement-page.js';

/** The page of the payments that wait for settlement, of those whose settlement fails, and of those confirmed too late. */
@StaffPages('settlement')
export class SettlementPageController {
  constructor(
    private readonly parts: Parts,
    private readonly frames: Frames,
    private readonly names: TppNames,
  ) {}

  @Get()
  @ForRoles(...watchers)
  async show(@ThisVisit() visit: Visit): Promise<Html> {
    const [queue, unfinished, late, letters] = await Promise.all([
      this.parts.ask(readSettlementQueue, { limit: maxRows }),
      this.parts.ask(readUnfinishedTransactions, { limit: maxRows }),
      this.parts.ask(listLateInstants, { limit: maxRows }),
      this.parts.ask(listSettlementLetters, { limit: maxLetters }),
    ]);
    const body = html`
      ${missingNotice({
        'what is due': queue,
        'what fails': unfinished,
        'late confirmations': late,
        'dead letters': letters,
      })}
      ${queue.answer && html`<section class="card" aria-label="Figures">${queueFigures(queue.answer, unfinished.answer)}</section>`}
      ${
        unfinished.answer &&
        html`<section class="card wide" tabindex="0" aria-label="In progress and failing">
          ${transactionTable(unfinished.answer.transactions)}
        </section>`
      }
      ${late.answer && lateInstantTable(late.answer.payments, visit.staff.roles.includes('operator'))}
      ${letters.answer && letterTable(letters.answer.letters)}
      ${queue.answer && html`<section class="card wide" tabindex="0" aria-label="Waiting">${queueTable(queue.answer, this.names.of)}</section>`}
    `;
    return this.frames.show(visit, {
      title: 'Settlement',
      body,
      refreshSeconds: 5,
      command: 'xs2a settlement queue',
    });
  }
}
