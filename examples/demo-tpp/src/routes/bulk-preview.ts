import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import type { Market } from '../bank/market.js';
import { type BulkEntry, columns, type FileFault, faultTexts } from '../bulk-file/bulk-file.js';
import { addUp } from '../bulk-file/entry-checks.js';
import { amountFromMinor, parseAmount } from '../page/amounts.js';
import { debtorField, textField, tick } from '../page/form-fields.js';
import { form, type Page, page } from '../page/layout.js';
import { bankErrors, entry, entryId, facts, money, payeeAndIban } from '../page/parts.js';
import { goOnButtons } from '../page/payment-form.js';
import type { UploadedFile } from '../page/session.js';
import type { Visit } from '../page/visit.js';
import { type EnteredBulk, placeOfPath } from './bulk-body.js';

const prefix = 'entry';

/** Builds the row for one entry of the file. `more`: its status or its faults. */
export const bulkEntry = (
  one: BulkEntry,
  index: number,
  { market, more }: { readonly market: Market; readonly more?: Html },
): Html => {
  const amount = parseAmount(one.amount);
  return entry(prefix, index, {
    payee: html`${payeeAndIban(one.creditorName, one.creditorIban)}
      <p class="quiet">${one.remittance}</p>`,
    // A text that is not an amount is truncated to the length of an amount.
    amount:
      amount === undefined ? html`${one.amount.slice(0, 20)} ${market.currency}` : money(amount, market),
    more,
  });
};

const faultText = ({ fault, field }: FileFault): string =>
  field === undefined ? faultTexts[fault] : `${columns[field].label}: ${faultTexts[fault]}`;

/** Lists all faults of the file by line, with a link to the entry if the fault concerns one. */
const fileFaults = (faults: readonly FileFault[]): Html => {
  const lead = faults.length === 1 ? 'One thing is wrong' : `${faults.length} things are wrong`;
  return html`<div class="notice" role="alert">
    <p>${lead} in the file. Nothing was sent.</p>
    <ul class="faults">
      ${faults.map((one) => {
        const text = [
          ...(one.line === undefined ? [] : [`line ${one.line}`]),
          ...(one.entry === undefined ? [] : [`payment ${one.entry + 1}`]),
          faultText(one),
        ].join(' · ');
        return one.entry === undefined
          ? html`<li>${text}</li>`
          : html`<li><a href="#${entryId(prefix, one.entry)}">${text}</a></li>`;
      })}
    </ul>
  </div>`;
};

const findTarget = (path: string): string | undefined => {
  const { entry: index, field } = placeOfPath(path);
  if (index !== undefined) return entryId(prefix, index);
  return field === 'debtorIban' || field === 'executionDate' ? field : undefined;
};

const refusalText = ({ code, path = '', text = code }: TppMessage): string => {
  const { field } = placeOfPath(path);
  return field !== undefined && field in columns
    ? `${columns[field as keyof typeof columns].label}: ${text}`
    : text;
};

/** Returns the texts of each entry's faults, from the file and from the bank, by the entry's index, starting at 0. */
const faultsByEntry = (
  entries: readonly BulkEntry[],
  faults: readonly FileFault[],
  refused: readonly TppMessage[],
): ReadonlyMap<number | undefined, readonly { readonly text: string }[]> =>
  Map.groupBy(
    [
      ...faults.map((one) => ({
        index: one.entry,
        text: `line ${entries[one.entry ?? -1]?.line ?? ''}: ${faultText(one)}`,
      })),
      ...refused.map((one) => ({ index: placeOfPath(one.path ?? '').entry, text: refusalText(one) })),
    ],
    ({ index }) => index,
  );

/**
 * Builds the page for a file that has been read: its faults or the form for sending it, followed by all entries.
 * `refused`: the bank's reasons for a refusal.
 */
export const previewPage = (
  visit: Pick<Visit, 'session' | 'path' | 'market'>,
  { name, file: { entries, faults } }: UploadedFile,
  entered: EnteredBulk,
  refused: readonly TppMessage[] = [],
): Page => {
  const byEntry = faultsByEntry(entries, faults, refused);
  const sendForm = form(
    visit,
    '/bulks/send',
    html`${debtorField(visit, entered.debtorIban)}
    ${textField('executionDate', 'Day of execution (optional)', entered.executionDate, {
      type: 'date',
      isOptional: true,
      hint: 'If it is empty, the bank executes the payments at once.',
    })}
    ${tick(
      'checkbox',
      'batchBooking',
      'yes',
      'One entry in my account’s history for all',
      entered.batchBooking,
    )}
    ${goOnButtons}`,
  );
  const rows = entries.map((one, index) => {
    const own = byEntry.get(index);
    const more =
      own &&
      html`<ul class="faults">
        ${own.map(({ text }) => html`<li>${text}</li>`)}
      </ul>`;
    return bulkEntry(one, index, { market: visit.market, more });
  });
  return page(
    visit,
    'What is in the file',
    html`${
        faults.length === 0
          ? bankErrors('The bank refused the bulk payment:', refused, findTarget)
          : fileFaults(faults)
      }
      ${facts([
        ['File', name],
        ['Number', entries.length],
        ['Total', money(amountFromMinor(addUp(entries)), visit.market)],
      ])}
      ${faults.length === 0 ? sendForm : undefined}
      <p><a href="/bulks">Another file</a></p>
      ${entries.length === 0 ? undefined : html`<h2>Payments</h2>`}
      <ol class="entries">
        ${rows}
      </ol>`,
    { status: refused.length === 0 ? 200 : 400 },
  );
};
