import { parseAmount, minorUnits } from '../page/amounts.js';
import {
  type BulkEntry,
  type FileFault,
  type FileFaultCode,
  type FileField,
  maxEntries,
  minEntries,
} from './bulk-file.js';

/** ISO 13616: two letters, two check digits, and the remainder 1 of division by 97. */
const isIban = (text: string): boolean => {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  const digits = `${text.slice(4)}${text.slice(0, 4)}`.replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
};

/** Control and invisible format characters, which the bank does not accept in a text. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}]/u;

const textFault =
  (maxLength: number, isMandatory = true) =>
  (text: string): FileFaultCode | undefined => {
    if (text === '') return isMandatory ? 'missing' : undefined;
    if (Array.from(text).length > maxLength) return 'too-long';
    return unprintable.test(text) ? 'characters' : undefined;
  };

type EntryField = Exclude<FileField, 'debtorIban' | 'executionDate' | 'serviceLevel'>;

/** The rules of an entry's fields, one row per field. */
const checks: Readonly<Record<EntryField, (entry: BulkEntry) => FileFaultCode | undefined>> = {
  endToEndId: ({ endToEndId }) => textFault(35, false)(endToEndId),
  creditorName: ({ creditorName }) => textFault(70)(creditorName),
  creditorIban: ({ creditorIban }) => {
    if (creditorIban === '') return 'missing';
    return isIban(creditorIban) ? undefined : 'iban';
  },
  amount: ({ amount }) => {
    if (amount === '') return 'missing';
    return parseAmount(amount) !== amount || minorUnits(amount) === 0n ? 'amount' : undefined;
  },
  remittance: ({ remittance }) => textFault(140)(remittance),
};
const fields = Object.keys(checks) as EntryField[];

const entryFaults = (entry: BulkEntry, index: number): FileFault[] =>
  fields.flatMap((field) => {
    const fault = checks[field](entry);
    return fault === undefined ? [] : [{ fault, line: entry.line, entry: index, field }];
  });

/** The faults of all entries in their order, and of the number of entries. */
export const entriesFaults = (entries: readonly BulkEntry[]): FileFault[] => [
  ...(entries.length < minEntries ? [{ fault: 'too-few' } as const] : []),
  ...(entries.length > maxEntries
    ? [{ fault: 'too-many', line: entries[maxEntries]?.line ?? 0 } as const]
    : []),
  ...entries.slice(0, maxEntries).flatMap(entryFaults),
];

/** The sum of the entries with a valid amount, in stotinki. */
export const addUp = (entries: readonly BulkEntry[]): bigint =>
  entries.reduce((sum, entry) => {
    const amount = parseAmount(entry.amount);
    return amount === undefined ? sum : sum + minorUnits(amount);
  }, 0n);
