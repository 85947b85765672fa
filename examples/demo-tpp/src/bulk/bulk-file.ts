/** The faults that a file can have before the bank is asked. Their texts are in the catalogues. */
export type FileFaultCode =
  | 'too-large'
  | 'empty'
  | 'not-utf8'
  | 'not-well-formed'
  | 'columns'
  | 'unknown-column'
  | 'too-many-fields'
  | 'too-few'
  | 'too-many'
  | 'missing'
  | 'too-long'
  | 'characters'
  | 'amount'
  | 'iban';

/** The parts of a file that a fault may be about. */
export type FileField =
  | 'debtorIban'
  | 'executionDate'
  | 'creditorName'
  | 'creditorIban'
  | 'amount'
  | 'remittance'
  | 'endToEndId'
  | 'serviceLevel';

export interface FileFault {
  readonly fault: FileFaultCode;
  /** In the file, from 1. */
  readonly line?: number;
  /** The entry that it is about, from 0; absent: the whole file. */
  readonly entry?: number;
  readonly field?: FileField;
}

/** A payment of a bulk as the file has it; an empty text: the file has none. */
export interface BulkEntry {
  readonly line: number;
  readonly creditorName: string;
  readonly creditorIban: string;
  /** In BGN; as the API writes it, when the file's text is an amount. */
  readonly amount: string;
  readonly remittance: string;
  readonly endToEndId: string;
}

/** Everything that was read from a file. */
export interface BulkFile {
  readonly entries: readonly BulkEntry[];
  readonly faults: readonly FileFault[];
}

/** By contract of the bank. */
export const minEntries = 2;
export const maxEntries = 250;

/** A file that could not be read at all. */
export const unreadable = (fault: FileFaultCode, line?: number): BulkFile => ({
  entries: [],
  faults: [{ fault, ...(line === undefined ? {} : { line }) }],
});
