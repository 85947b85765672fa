/** The faults that a file can have before the bank is asked. Their texts are in the catalogues. */
export type FileFaultCode =
  | 'too-large'
  | 'empty'
  | 'not-utf8'
  | 'not-well-formed'
  | 'document-type'
  | 'not-pain001'
  | 'one-block'
  | 'not-a-transfer'
  | 'columns'
  | 'unknown-column'
  | 'too-many-fields'
  | 'count-differs'
  | 'sum-differs'
  | 'too-few'
  | 'too-many'
  | 'missing'
  | 'too-long'
  | 'characters'
  | 'amount'
  | 'currency'
  | 'iban'
  | 'service-level'
  | 'date';

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
  /** The amount as the API writes it, when the file's text is one. */
  readonly amount: string;
  readonly currency: string;
  readonly remittance: string;
  readonly endToEndId: string;
  readonly serviceLevel: string;
}

/** Everything that was read from a file, whatever its format. */
export interface BulkFile {
  readonly entries: readonly BulkEntry[];
  readonly faults: readonly FileFault[];
  /** The values of a pain.001 that count for all its entries; a CSV has none of them. */
  readonly debtorIban?: string;
  readonly executionDate?: string;
  readonly batchBooking?: boolean;
}

/** By contract of the bank. */
export const minEntries = 2;
export const maxEntries = 250;

/** A file that could not be read at all. */
export const unreadable = (fault: FileFaultCode, line?: number): BulkFile => ({
  entries: [],
  faults: [{ fault, ...(line === undefined ? {} : { line }) }],
});
