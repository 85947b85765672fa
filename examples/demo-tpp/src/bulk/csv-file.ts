import { parseAmount } from '../page/amounts.js';
import { CsvError, type InfoRecord, parse } from 'csv-parse/sync';
import { type BulkEntry, type BulkFile, type FileFault, unreadable } from './bulk-file.js';
import { type CsvColumn, csvColumns, optionalColumns } from './csv-columns.js';
import { entriesFaults } from './entry-checks.js';

interface Row {
  readonly record: readonly string[];
  readonly info: InfoRecord;
}

const findColumn = (name: string): CsvColumn | undefined =>
  csvColumns.find((column) => column.toLowerCase() === name.toLowerCase());

/**
 * A CSV file (RFC 4180): the first line names the columns; the separator is a comma or, as spreadsheets write it where the
 * comma is for decimals, a semicolon; a field with a separator, a quote or a line break in it is in double quotes.
 */
export const readCsv = (text: string): BulkFile => {
  const delimiter = (text.split('\n', 1)[0] ?? '').includes(';') ? ';' : ',';
  let rows: Row[];
  try {
    rows = parse(text, {
      delimiter,
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
  const columns = header.record.map(findColumn);
  const faults: FileFault[] = columns.includes(undefined) ? [{ fault: 'unknown-column', line: 1 }] : [];
  const isComplete = csvColumns.every(
    (column) =>
      columns.filter((one) => one === column).length === 1 ||
      (optionalColumns.includes(column) && !columns.includes(column)),
  );
  if (!isComplete) return { entries: [], faults: [...faults, { fault: 'columns', line: 1 }] };
  const entries = records.map((row) => parseEntry(row, columns));
  const tooMany = records.flatMap(({ record }, index): FileFault[] =>
    record.length > columns.length
      ? [{ fault: 'too-many-fields', line: entries[index]?.line ?? 0, entry: index }]
      : [],
  );
  return { entries, faults: [...faults, ...tooMany, ...entriesFaults(entries)] };
};

const parseEntry = ({ record, info }: Row, columns: readonly (CsvColumn | undefined)[]): BulkEntry => {
  const value = (column: CsvColumn): string => record[columns.indexOf(column)] ?? '';
  // The parser counts the lines up to the record's end.
  const line = info.lines - (record.join('').match(/\n/g)?.length ?? 0);
  return {
    line,
    creditorName: value('creditorName'),
    creditorIban: value('creditorIban').replaceAll(' ', '').toUpperCase(),
    amount: parseAmount(value('amount')) ?? value('amount'),
    remittance: value('remittance'),
    endToEndId: columns.includes('endToEndId') ? value('endToEndId') : '',
  };
};
