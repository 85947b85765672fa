import { Get, Param, Post, Res } from '@nestjs/common';
import { type Html, html } from '@xs2a/html/html';
import type { FastifyReply } from 'fastify';
import { Initiations } from '../bank/initiations.js';
import { StatusFeed } from '../bank/status-feed.js';
import { columns, exampleCsv } from '../bulk-file/bulk-file.js';
import { readCsvFile } from '../bulk-file/csv-file.js';
import { addUp } from '../bulk-file/entry-checks.js';
import { amountFromMinor } from '../page/amounts.js';
import { type Page, page, Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import { type BankState, money, paymentMeaning, statusPage, statusText } from '../page/parts.js';
import { goOn, readField, readIban } from '../page/payment-form.js';
import type { Bulk } from '../page/session.js';
import { findInitiated, type Visit, Visiting } from '../page/visit.js';
import { bulkBody, type EnteredBulk } from './bulk-body.js';
import { bulkEntry, previewPage } from './bulk-preview.js';

interface BulkState extends BankState {
  readonly payments?: readonly BankState[];
}

/** Bulk payments: a CSV file is uploaded, shown with its faults, and sent. Then the status of each entry is shown. */
@PageController('bulks')
export class BulksRoutes {
  constructor(
    private readonly initiations: Initiations,
    private readonly feed: StatusFeed,
  ) {}

  @Get()
  form(@Visiting() visit: Visit): Page {
    return uploadPage(visit);
  }

  @Get('examples/payments.csv')
  example(@Res({ passthrough: true }) reply: FastifyReply): string {
    reply.headers({
      'Content-Disposition': 'attachment; filename="payments.csv"',
      'Content-Type': 'text/csv; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    return exampleCsv;
  }

  @Post()
  upload(@Visiting() { session, file }: Visit): Redirect {
    if (file === undefined) {
      session.notice = { text: 'Choose a file first.' };
      return new Redirect('/bulks');
    }
    session.bulkFile = { name: file.name, file: readCsvFile(file.bytes) };
    return new Redirect('/bulks/preview');
  }

  @Get('preview')
  preview(@Visiting() visit: Visit): Page | Redirect {
    const { bulkFile } = visit.session;
    return bulkFile === undefined ? new Redirect('/bulks') : previewPage(visit, bulkFile, nothingChosen);
  }

  @Post('send')
  async send(@Visiting() visit: Visit): Promise<Page | Redirect> {
    const { session, form } = visit;
    const { bulkFile } = session;
    if (bulkFile === undefined) return new Redirect('/bulks');
    const { entries, faults } = bulkFile.file;
    if (faults.length > 0) return new Redirect('/bulks/preview');
    const entered = {
      debtorIban: readIban(form, 'debtorIban'),
      executionDate: readField(form, 'executionDate'),
      batchBooking: form.has('batchBooking'),
    };
    const outcome = await this.initiations.begin(
      visit,
      `/v1/bulk-payments/${visit.market.transfer}`,
      '/bulks',
      bulkBody(entries, entered, visit.market),
    );
    if ('refused' in outcome) return previewPage(visit, bulkFile, entered, outcome.refused);
    session.initiated.set(outcome.id, { kind: 'bulk', ...outcome, entries });
    delete session.bulkFile;
    return goOn(visit, outcome);
  }

  @Get(':id')
  async status(@Visiting() visit: Visit, @Param('id') id: string): Promise<Page> {
    const bulk = findInitiated(visit, 'bulk', id);
    const seen = this.feed.version([bulk.resourceId]);
    const state = await this.initiations.read<BulkState>(bulk);
    return statusPage(visit, 'Bulk payment', bulk, {
      meaning: paymentMeaning(state, bulk.returned ?? 'nok'),
      state,
      seen,
      facts: [
        ['Number', bulk.entries.length],
        ['Total', money(amountFromMinor(addUp(bulk.entries)), visit.market)],
      ],
      details: entriesWithStatus(visit, bulk, state),
      end: ['cancel', 'Cancel the bulk payment'],
      another: html`<a href="/bulks">Another file</a>`,
    });
  }

  @Post(':id/cancel')
  async cancel(@Visiting() visit: Visit, @Param('id') id: string): Promise<Redirect> {
    const bulk = findInitiated(visit, 'bulk', id);
    visit.session.notice = (await this.initiations.cancel(bulk))
      ? { text: 'The bulk payment is cancelled.', isGood: true }
      : { text: 'It was too late to cancel.' };
    return new Redirect(bulk.ownPath);
  }
}

const nothingChosen: EnteredBulk = { debtorIban: '', executionDate: '', batchBooking: false };

const uploadPage = (visit: Visit): Page =>
  page(
    visit,
    'Bulk payment',
    html`<p>
        2 to 250 payments from one account, which you sign once. You see what is in the file before anything
        is sent.
      </p>
      <form method="post" action="/bulks" enctype="multipart/form-data">
        <input type="hidden" name="csrf" value="${visit.session.csrf}" />
        <label for="file">CSV file</label>
        <input id="file" name="file" type="file" accept=".csv,text/csv" required />
        <button>Show what is in it</button>
      </form>
      <p><a href="/bulks/examples/payments.csv" download>An example: payments.csv</a></p>
      <h2>What the file looks like</h2>
      <p>
        CSV in UTF-8, with a comma or a semicolon between the fields. A field that contains one of them is in
        double quotes. The first line names the columns, in any order:
      </p>
      <dl class="columns">
        ${Object.entries(columns).map(
          ([column, { description }]) =>
            html`<dt><code>${column}</code></dt>
              <dd>${description.replace('{currency}', visit.market.currency)}</dd>`,
        )}
      </dl>`,
  );

const entriesWithStatus = ({ market }: Visit, bulk: Bulk, state: BulkState | undefined): Html =>
  html`<h2>Payments</h2>
    <ol class="entries" id="entries" data-live>
      ${bulk.entries.map((entry, index) => {
        const one = state?.payments?.[index];
        const meaning = paymentMeaning(one, bulk.returned ?? 'nok');
        const more = html`<p class="status">${statusText(meaning, one)}</p>`;
        return bulkEntry(entry, index, { market, more });
      })}
    </ol>`;
