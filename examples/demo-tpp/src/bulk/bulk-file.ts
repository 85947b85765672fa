/** The faults that a file can have before it is sent to the bank. Their texts are in the catalogues. */
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

/** The parts of a file that can have a fault. */
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
  /** The index of the entry, from 0; absent: the whole file. */
  readonly entry?: number;
  readonly field?: FileField;
}

/** A payment of a bulk as in the file; an empty text: not in the file. */
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

/** From the bank's contract. */
export const minEntries = 2;
export const maxEntries = 250;

/** A file that could not be read at all. */
export const unreadable = (fault: FileFaultCode, line?: number): BulkFile => ({
  entries: [],
  faults: [{ fault, ...(line === undefined ? {} : { line }) }],
});
