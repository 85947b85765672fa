import { CsvError, type InfoRecord, parse } from 'csv-parse/sync';
import { parseAmount } from '../page/amounts.js';
import {
  type BulkEntry,
  type BulkFile,
  type Column,
  columns,
  type FaultCode,
  type FileFault,
  maxEntries,
} from './bulk-file.js';
import { entriesFaults } from './entry-checks.js';

/** The maximum file size. 250 entries with the longest texts need less than half of it. */
const maxBytes = 512 * 1024;
/** The maximum number of faults shown. */
const maxFaults = 500;

interface Row {
  readonly record: readonly string[];
  readonly info: InfoRecord;
}

/** Reads a CSV file. Never throws; faults are sorted by line. */
export const readCsvFile = (bytes: Uint8Array): BulkFile => {
  const { entries, faults } = readBytes(bytes);
  return {
    entries: entries.slice(0, maxEntries),
    faults: faults.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)).slice(0, maxFaults),
  };
};

/** Returns the result for a file that could not be read at all. */
const unreadable = (fault: FaultCode, line?: number): BulkFile => ({
  entries: [],
  faults: [{ fault, line }],
});

const readBytes = (bytes: Uint8Array): BulkFile => {
  if (bytes.length > maxBytes) return unreadable('too-large');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, '\n');
  } catch {
    return unreadable('not-utf8');
  }
  return text.trim() === '' ? unreadable('empty') : readText(text);
};

/**
 * Reads CSV (RFC 4180). The first line contains the column names. The separator is a comma or, as in spreadsheets
 * that use the decimal comma, a semicolon. A field that contains a separator, a quote or a line break is enclosed
 * in double quotes.
 */
const readText = (text: string): BulkFile => {
  let rows: Row[];
  try {
    rows = parse(text, {
      delimiter: text.split('\n', 1)[0]?.includes(';') === true ? ';' : ',',
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      record_delimiter: '\n',
    }) as unknown as Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return unreadable('not-well-formed', Number(Reflect.get(error, 'lines')) || undefined);
  }
  const [header, ...records] = rows;
  if (header === undefined) return unreadable('empty');
  const named = header.record.map(findColumn);
  const faults: FileFault[] = named.includes(undefined) ? [{ fault: 'unknown-column', line: 1 }] : [];
  const isComplete = allColumns.every((column) => {
    const times = named.filter((one) => one === column).length;
    return times === 1 || (times === 0 && column === 'endToEndId');
  });
  if (!isComplete) return { entries: [], faults: [...faults, { fault: 'columns', line: 1 }] };
  const entries = records.map((row) => parseEntry(row, named));
  const tooMany = records.flatMap(({ record }, entry): FileFault[] =>
    record.length > named.length ? [{ fault: 'too-many-fields', line: entries[entry]?.line, entry }] : [],
  );
  return { entries, faults: [...faults, ...tooMany, ...entriesFaults(entries)] };
};

const allColumns = Object.keys(columns) as Column[];
const findColumn = (name: string): Column | undefined =>
  allColumns.find((column) => column.toLowerCase() === name.toLowerCase());

const parseEntry = ({ record, info }: Row, named: readonly (Column | undefined)[]): BulkEntry => {
  const value = (column: Column): string => record[named.indexOf(column)] ?? '';
  return {
    // The parser counts lines up to the end of the record, and the fault is reported for its first line.
    line: info.lines - (record.join('').match(/\n/g)?.length ?? 0),
    creditorName: value('creditorName'),
    creditorIban: value('creditorIban').replaceAll(' ', '').toUpperCase(),
    amount: parseAmount(value('amount')) ?? value('amount'),
    remittance: value('remittance'),
    endToEndId: value('endToEndId'),
  };
};
