import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import { catalogues } from '../catalogue/catalogues.js';
import type { View } from '../page/page.js';
import type { FileFault } from './bulk-file.js';
import { placeOfPath } from './bulk-payments.js';

/** A fault of an entry: from the file in the reader's language, or in the bank's own words. */
export interface EntryFault {
  readonly text: string;
  readonly isOfBank: boolean;
}

const faultText = ({ language }: View, { fault, field }: FileFault): string => {
  const { bulk } = catalogues[language];
  return field === undefined ? bulk.fault[fault] : `${bulk.field[field]}: ${bulk.fault[fault]}`;
};

/** The address of a link to an entry. */
export const entryId = (index: number): string => `entry-${index + 1}`;

/** All faults of the file by line, with a link to the entry if there is one. */
export const fileFaultList = (view: View, faults: readonly FileFault[]): Html => {
  const { bulk } = catalogues[view.language];
  return html`<div class="notice" role="alert">
    <p>${bulk.faults(faults.length)}</p>
    <ul class="faults">
      ${faults.map((one) => {
        const text = [
          ...(one.line === undefined ? [] : [bulk.line(one.line)]),
          ...(one.entry === undefined ? [] : [bulk.entry(one.entry + 1)]),
          faultText(view, one),
        ].join(' · ');
        return one.entry === undefined
          ? html`<li>${text}</li>`
          : html`<li><a href="#${entryId(one.entry)}">${text}</a></li>`;
      })}
    </ul>
  </div>`;
};

/** The faults of each entry, by its index from 0. */
export const faultsByEntry = (
  view: View,
  faults: readonly FileFault[],
  refused: readonly TppMessage[],
): ReadonlyMap<number, readonly EntryFault[]> => {
  const byEntry = new Map<number, EntryFault[]>();
  const add = (entry: number | undefined, fault: EntryFault): void => {
    if (entry !== undefined) byEntry.set(entry, [...(byEntry.get(entry) ?? []), fault]);
  };
  for (const fault of faults) add(fault.entry, { text: faultText(view, fault), isOfBank: false });
  for (const { code, path = '', text } of refused) {
    const { entry, field } = placeOfPath(path);
    const label = field === undefined ? '' : `${catalogues[view.language].bulk.field[field]}: `;
    add(entry, { text: `${label}${text ?? code}`, isOfBank: true });
  }
  return byEntry;
};
