import { minorUnits, parseAmount } from '../page/amounts.js';
import {
  type BulkEntry,
  type Column,
  type FaultCode,
  type FileFault,
  maxEntries,
  minEntries,
} from './bulk-file.js';

/** ISO 13616: two letters, two check digits, and a remainder of 1 after division by 97. */
const isIban = (text: string): boolean => {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  const digits = `${text.slice(4)}${text.slice(0, 4)}`.replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
};

/** Control characters and invisible format characters, which the bank does not accept in texts. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}]/u;

type Check = (text: string) => FaultCode | undefined;
const upTo =
  (maxLength: number): Check =>
  (text) => {
    if (Array.from(text).length > maxLength) return 'too-long';
    return unprintable.test(text) ? 'characters' : undefined;
  };

/** The rule for each field, applied if the field is not empty. */
const checks: Readonly<Record<Column, Check>> = {
  endToEndId: upTo(35),
  creditorName: upTo(70),
  creditorIban: (text) => (isIban(text) ? undefined : 'iban'),
  amount: (text) => (parseAmount(text) !== text || minorUnits(text) === 0n ? 'amount' : undefined),
  remittance: upTo(140),
};
const optional: Column = 'endToEndId';

const entryFaults = (entry: BulkEntry, index: number): FileFault[] =>
  (Object.keys(checks) as Column[]).flatMap((field) => {
    const isMissing = entry[field] === '';
    const fault = isMissing ? (field === optional ? undefined : 'missing') : checks[field](entry[field]);
    return fault === undefined ? [] : [{ fault, line: entry.line, entry: index, field }];
  });

/** Lists the fault in the number of entries, if any, followed by the faults of all entries in order. */
export const entriesFaults = (entries: readonly BulkEntry[]): FileFault[] => [
  ...(entries.length < minEntries ? [{ fault: 'too-few' } as const] : []),
  ...(entries.length > maxEntries ? [{ fault: 'too-many', line: entries[maxEntries]?.line } as const] : []),
  ...entries.slice(0, maxEntries).flatMap(entryFaults),
];

/** Returns the total of all entries with a valid amount, in stotinki. */
export const addUp = (entries: readonly BulkEntry[]): bigint =>
  entries.reduce((sum, entry) => sum + minorUnits(parseAmount(entry.amount) ?? '0'), 0n);
