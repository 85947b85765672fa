import type { FileFaultCode, FileField } from '../bulk/bulk-file.js';
import type { ReportType } from '../budget/entered-budget-payment.js';
import type { CsvColumn } from '../bulk/csv-columns.js';
import type { Frequency, OrderEnd, WeekendRule } from '../orders/entered-order.js';

export const languages = ['bg', 'en'] as const;
export type Language = (typeof languages)[number];

/** The event that is shown above the next page, once. */
export type Notice =
  | 'connected'
  | 'connect-again'
  | 'disconnected'
  | 'not-connected'
  | 'refused'
  | 'not-ours'
  | 'funds-allowed'
  | 'out-of-date'
  | 'amount-wrong'
  | 'no-file'
  | 'cancelled'
  | 'too-late'
  | 'laid-aside'
  | 'nothing-chosen'
  | 'dissolved'
  | 'away';

/** The progress of a payment in a person's terms. */
export type PaymentPlace =
  | 'unsigned'
  | 'accepted'
  | 'unfunded'
  | 'executing'
  | 'done'
  | 'rejected'
  | 'cancelled'
  | 'unknown';

/** The progress of a bulk or of one of its entries. */
export type BulkPlace = PaymentPlace | 'partly';

/** The progress of a signing basket. */
export type BasketPlace = 'unsigned' | 'accepted' | 'done' | 'partly' | 'rejected' | 'dissolved' | 'unknown';

/** The progress of a standing order. */
export type OrderPlace = 'unsigned' | 'accepted' | 'running' | 'ended' | 'rejected' | 'cancelled' | 'unknown';

/** The outcome of one occurrence of a standing order. */
export type OccurrencePlace = 'ran' | 'skipped' | 'next' | 'cancelled';

export interface Catalogue {
  readonly languageName: string;
  readonly languages: string;
  readonly places: string;
  readonly notice: Readonly<Record<Notice, string>>;
  readonly home: {
    readonly title: string;
    readonly lead: string;
    readonly connectTitle: string;
    readonly connectText: string;
    readonly psuId: string;
    readonly connect: string;
    readonly connectedText: string;
    readonly disconnect: string;
  };
  readonly accounts: {
    readonly title: string;
    readonly balance: string;
    readonly movements: string;
    readonly movementsOf: string;
    readonly none: string;
    readonly waiting: string;
    readonly back: string;
    readonly connectFirst: string;
  };
  readonly funds: {
    readonly title: string;
    readonly lead: string;
    readonly allowText: string;
    readonly allow: string;
    readonly amount: string;
    readonly ask: string;
    readonly yes: (amount: string) => string;
    readonly no: (amount: string) => string;
    readonly notTaken: string;
  };
  readonly pay: {
    readonly title: string;
    readonly lead: string;
    readonly from: string;
    readonly payee: string;
    readonly payeeAccount: string;
    readonly amount: string;
    readonly reason: string;
    readonly submit: string;
    readonly refused: string;
  };
  readonly payment: {
    readonly title: string;
    readonly notSigned: string;
    readonly state: string;
    readonly to: string;
    readonly amount: string;
    readonly again: string;
    readonly another: string;
    readonly place: Readonly<Record<PaymentPlace, string>>;
  };
  readonly order: {
    readonly title: string;
    readonly lead: string;
    readonly startDate: string;
    readonly frequency: string;
    readonly frequencies: Readonly<Record<Frequency, string>>;
    readonly dayOfExecution: string;
    readonly dayHint: string;
    readonly months: string;
    readonly monthsHint: string;
    readonly end: string;
    readonly ends: Readonly<Record<OrderEnd, string>>;
    readonly endDate: string;
    readonly numberOfPayments: string;
    readonly weekend: string;
    readonly weekends: Readonly<Record<WeekendRule, string>>;
    readonly place: Readonly<Record<OrderPlace, string>>;
    readonly occurrences: string;
    readonly noOccurrences: string;
    readonly occurrencePlace: Readonly<Record<OccurrencePlace, string>>;
    readonly cancel: string;
    readonly another: string;
  };
  readonly bulk: {
    readonly title: string;
    readonly lead: string;
    readonly file: string;
    readonly show: string;
    readonly formats: string;
    readonly csv: string;
    readonly column: Readonly<Record<CsvColumn, string>>;
    readonly examples: string;
    readonly previewTitle: string;
    readonly faults: (count: number) => string;
    readonly line: (line: number) => string;
    readonly entry: (number: number) => string;
    readonly fault: Readonly<Record<FileFaultCode, string>>;
    readonly field: Readonly<Record<FileField, string>>;
    readonly number: string;
    readonly total: string;
    readonly executionDate: string;
    readonly executionDateHint: string;
    readonly batchBooking: string;
    readonly entries: string;
    readonly place: Readonly<Record<BulkPlace, string>>;
    readonly cancel: string;
    readonly another: string;
  };
  readonly budget: {
    readonly title: string;
    readonly obligedPerson: string;
    readonly document: string;
    readonly documents: Readonly<Record<ReportType, string>>;
  };
  readonly basket: {
    readonly title: string;
    readonly lead: string;
    readonly choose: string;
    readonly check: string;
    readonly none: string;
    readonly add: string;
    readonly addText: string;
    readonly layAside: string;
    readonly bulkOf: (payments: number) => string;
    readonly previewTitle: string;
    readonly previewLead: string;
    readonly chooseAgain: string;
    readonly refused: string;
    readonly place: Readonly<Record<BasketPlace, string>>;
    readonly sign: string;
    readonly mine: string;
    readonly of: (payments: number) => string;
    readonly dissolve: string;
    readonly another: string;
  };
  readonly notFound: { readonly title: string; readonly text: string };
}
