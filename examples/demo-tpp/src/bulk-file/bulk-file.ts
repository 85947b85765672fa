/** The faults that a file can have before it is sent to the bank. */
export const faultTexts = {
  'too-large': 'the file is larger than 512 KB',
  empty: 'the file is empty',
  'not-utf8': 'the file is not written in UTF-8',
  'not-well-formed': 'the file is broken from here on: nothing after it could be read',
  columns: 'a column is missing or named twice',
  'unknown-column': 'a column has a name that is not known',
  'too-many-fields': 'the line has more fields than there are columns',
  'too-few': 'a bulk payment has at least 2 payments',
  'too-many': 'a bulk payment has at most 250 payments',
  missing: 'is missing',
  'too-long': 'is too long',
  characters: 'has a character that cannot be seen',
  amount: 'is not an amount above zero with at most two decimals',
  iban: 'is not a valid IBAN',
} as const;
export type FaultCode = keyof typeof faultTexts;

/** The columns, by their names in the first line of the file. They may be in any order. */
export const columns = {
  creditorName: { label: 'payee', description: 'the payee, at most 70 characters' },
  creditorIban: { label: 'payee account', description: 'the payee’s account' },
  amount: { label: 'amount', description: 'in {currency}, such as 12.50 or "12,50"' },
  remittance: { label: 'reason for payment', description: 'the reason for payment, at most 140 characters' },
  endToEndId: {
    label: 'own reference',
    description: 'your own reference, at most 35 characters; may be left out',
  },
} as const;
export type Column = keyof typeof columns;

export interface FileFault {
  readonly fault: FaultCode;
  /** The line number in the file, starting at 1. */
  readonly line?: number;
  /** The entry's index, starting at 0. If absent, the fault concerns the whole file. */
  readonly entry?: number;
  readonly field?: Column;
}

/**
 * A payment in a bulk as read from the file. A text that the file does not contain is empty. A valid amount is in
 * the API's format.
 */
export interface BulkEntry extends Readonly<Record<Column, string>> {
  readonly line: number;
}

/** The content of a file and its faults. */
export interface BulkFile {
  readonly entries: readonly BulkEntry[];
  readonly faults: readonly FileFault[];
}

/** The minimum number of entries in the bank's contract. */
export const minEntries = 2;
export const maxEntries = 250;

export const exampleCsv = `creditorName,creditorIban,amount,remittance,endToEndId
"Петър Иванов",BG26RZBB91551023456789,12.50,"Фактура 1",E2E-1
"Petar Ivanov",BG26RZBB91551023456789,20.00,"Invoice 2, March",E2E-2
"Книжарница „Хеликон“",BG26RZBB91551023456789,34.75,"Книги; абонамент",E2E-3
"Petar Ivanov",BG26RZBB91551023456789,0.99,"Invoice 4",E2E-4
"Петър Иванов",BG26RZBB91551023456789,100.00,"Фактура 5",E2E-5
`;
