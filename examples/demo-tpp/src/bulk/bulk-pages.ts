import { amountFigure, ibanFigure } from '@xs2a/html/figures';
import { type Html, html } from '@xs2a/html/html';
import { amountFromMinor, parseAmount } from '../page/amounts.js';
import type { TppMessage } from '../bank/bank.js';
import { goOnButtons } from '../baskets/go-on.js';
import type { BulkPlace } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { bankFaults, debtorField, textField } from '../page/form-fields.js';
import { form, page, type View } from '../page/page.js';
import {
  toEventsPath,
  notSignedNotice,
  openActions,
  getBulkPlace,
  statusRow,
  unlessUnsigned,
} from '../page/status-parts.js';
import type { KnownAccount, KnownBulk, UploadedBulk } from '../page/sessions.js';
import type { BulkEntry } from './bulk-file.js';
import { type BulkState, type EnteredBulk, type EntryState, placeOfPath } from './bulk-payments.js';
import { csvColumns } from './csv-columns.js';
import { addUp } from './entry-checks.js';
import { exampleNames } from './examples.js';
import { type EntryFault, entryId, faultsByEntry, fileFaultList } from './file-faults.js';

export const uploadPage = (view: View): Html => {
  const { bulk } = catalogues[view.language];
  return page(
    view,
    bulk.title,
    html`<p>${bulk.lead}</p>
      <form method="post" action="/bulks" enctype="multipart/form-data">
        <input type="hidden" name="csrf" value="${view.csrf}" />
        <label for="file">${bulk.file}</label>
        <input id="file" name="file" type="file" accept=".csv,text/csv" required />
        <button>${bulk.show}</button>
      </form>
      <h2>${bulk.formats}</h2>
      <p>${bulk.csv}</p>
      <dl class="columns">
        ${csvColumns.map(
          (column) =>
            html`<dt><code>${column}</code></dt>
              <dd>${bulk.column[column]}</dd>`,
        )}
      </dl>
      <h2>${bulk.examples}</h2>
      <ul>
        ${exampleNames.map((name) => html`<li><a href="/bulks/examples/${name}" download>${name}</a></li>`)}
      </ul>`,
  );
};

const summary = ({ language }: View, entries: readonly BulkEntry[]): Html => {
  const { bulk } = catalogues[language];
  const total = { amount: amountFromMinor(addUp(entries)), currency: 'BGN' };
  return html`<dt>${bulk.number}</dt>
    <dd>${entries.length}</dd>
    <dt>${bulk.total}</dt>
    <dd class="amount">${amountFigure(total, language)}</dd>`;
};

/** A text that is not an amount is cut to the length of one. */
const amountShown = (entry: BulkEntry, { language }: View): Html => {
  const amount = parseAmount(entry.amount);
  return amount === undefined
    ? html`${entry.amount.slice(0, 20)} BGN`
    : amountFigure({ amount, currency: 'BGN' }, language);
};

/** One row of the list: on a phone the amount is below the payee, else next to it. `more`: its status or its faults. */
const entryRow = (view: View, entry: BulkEntry, index: number, more: Html | undefined): Html =>
  html`<li id="${entryId(index)}" tabindex="-1">
    <p class="quiet number">${index + 1}</p>
    <div class="payee">
      <p>${entry.creditorName}</p>
      <p class="quiet">${ibanFigure(entry.creditorIban)}</p>
      <p class="quiet">${entry.remittance}</p>
      ${more}
    </div>
    <p class="amount">${amountShown(entry, view)}</p>
  </li>`;

const faultLines = ({ language }: View, { line }: BulkEntry, faults: readonly EntryFault[]): Html =>
  html`<ul class="faults">
    ${faults.map(({ text, isOfBank }) =>
      isOfBank
        ? html`<li lang="en">${text}</li>`
        : html`<li>${catalogues[language].bulk.line(line)}: ${text}</li>`,
    )}
  </ul>`;

const findFormField = (path: string): string | undefined => {
  const { entry, field } = placeOfPath(path);
  if (entry !== undefined) return entryId(entry);
  return field === 'debtorIban' || field === 'executionDate' ? field : undefined;
};

/** The page of a file that was read: its faults, or the form that sends it; then all entries. `refused`: the bank's reasons. */
export const previewPage = (
  view: View,
  accounts: readonly KnownAccount[],
  { name, file }: UploadedBulk,
  entered: EnteredBulk,
  refused: readonly TppMessage[] = [],
): Html => {
  const { bulk, pay } = catalogues[view.language];
  const { entries, faults } = file;
  const byEntry = faultsByEntry(view, faults, refused);
  const sendForm = form(
    view,
    '/bulks/send',
    html`${debtorField(pay.from, accounts, entered.debtorIban)}
      ${textField('executionDate', bulk.executionDate, entered.executionDate, {
        type: 'date',
        isOptional: true,
        hint: bulk.executionDateHint,
      })}
      <label class="choice"
        ><input
          type="checkbox"
          name="batchBooking"
          value="yes"
          ${entered.batchBooking ? html`checked` : undefined}
        />${bulk.batchBooking}</label
      >
      ${goOnButtons(view)}`,
  );
  return page(
    view,
    bulk.previewTitle,
    html`${faults.length === 0 ? bankFaults(view, refused, findFormField) : fileFaultList(view, faults)}
      <dl>
        <dt>${bulk.file}</dt>
        <dd>${name}</dd>
        ${summary(view, entries)}
      </dl>
      ${faults.length === 0 ? sendForm : undefined}
      <p><a href="/bulks">${bulk.another}</a></p>
      ${entries.length === 0 ? undefined : html`<h2>${bulk.entries}</h2>`}
      <ol class="entries">
        ${entries.map((entry, index) => {
          const own = byEntry.get(index);
          return entryRow(view, entry, index, own && faultLines(view, entry, own));
        })}
      </ol>`,
  );
};

const getPlace = (state: EntryState | undefined, known: KnownBulk): BulkPlace => {
  const place = getBulkPlace(state?.transactionStatus);
  if (place === 'accepted' && state?.fundsAvailable === false) return 'unfunded';
  return unlessUnsigned(place, known);
};

/** `seen`: the version of the status that the bank had sent when it was asked. */
export const bulkPage = (view: View, known: KnownBulk, state: BulkState | undefined, seen: number): Html => {
  const { bulk } = catalogues[view.language];
  const place = getPlace(state, known);
  const isFinal = !['unsigned', 'accepted', 'executing'].includes(place);
  const rows = known.entries.map((entry, index) => {
    const one = getPlace(state?.payments?.[index], known);
    const status = state?.payments?.[index]?.transactionStatus;
    return entryRow(
      view,
      entry,
      index,
      html`<p class="${one}">${bulk.place[one]} <span class="quiet">${status}</span></p>`,
    );
  });
  return page(
    view,
    bulk.title,
    html`${notSignedNotice(view, known)}
      <dl>${statusRow(view, bulk.place[place], state)} ${summary(view, known.entries)}</dl>
      <div id="actions" data-live>${isFinal ? undefined : openActions(view, bulk.cancel)}</div>
      <p><a href="/bulks">${bulk.another}</a></p>
      <h2>${bulk.entries}</h2>
      <ol class="entries" id="entries" data-live>
        ${rows}
      </ol>`,
    isFinal ? undefined : toEventsPath(view, seen),
  );
};
