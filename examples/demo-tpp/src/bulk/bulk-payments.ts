import type { InitiationKind, Initiations } from '../bank/initiations.js';
import type { Begun } from '../payments/payment-initiation.js';
import type { KnownBulk, Session } from '../page/sessions.js';
import type { BulkEntry, FileField } from './bulk-file.js';

export const bulkKind: InitiationKind = {
  bankPath: '/v1/bulk-payments/domestic-credit-transfer-BGN',
  ownPath: '/bulks',
};

/** The person's choices for all entries. */
export interface EnteredBulk {
  readonly debtorIban: string;
  /** Empty: at once. */
  readonly executionDate: string;
  readonly batchBooking: boolean;
}
export interface EntryState {
  readonly transactionStatus: string;
  readonly fundsAvailable?: boolean;
}
export interface BulkState extends EntryState {
  readonly payments?: readonly EntryState[];
}

const entryBody = (entry: BulkEntry): Readonly<Record<string, unknown>> => ({
  ...(entry.endToEndId === '' ? {} : { endToEndIdentification: entry.endToEndId }),
  instructedAmount: { amount: entry.amount, currency: 'BGN' },
  creditorAccount: { iban: entry.creditorIban },
  creditorName: entry.creditorName,
  remittanceInformationUnstructured: entry.remittance,
  serviceLevel: 'NURG',
});

/** The body of POST /v1/bulk-payments. */
export const bulkBody = (
  entries: readonly BulkEntry[],
  { debtorIban, executionDate, batchBooking }: EnteredBulk,
): Readonly<Record<string, unknown>> => ({
  debtorAccount: { iban: debtorIban },
  ...(executionDate === '' ? {} : { requestedExecutionDate: executionDate }),
  ...(batchBooking ? { batchBookingPreferred: true } : {}),
  payments: entries.map(entryBody),
});

const fieldsByMember: Readonly<Record<string, FileField>> = {
  endToEndIdentification: 'endToEndId',
  instructedAmount: 'amount',
  creditorAccount: 'creditorIban',
  creditorName: 'creditorName',
  remittanceInformationUnstructured: 'remittance',
  serviceLevel: 'serviceLevel',
  debtorAccount: 'debtorIban',
  requestedExecutionDate: 'executionDate',
};

/** Finds the field for a path in the bank's answer: `payments[17].creditorAccount.iban` is the account of entry 17, from 0. */
export const placeOfPath = (path: string): { readonly entry?: number; readonly field?: FileField } => {
  const [, index, rest = path] = /^payments\[(\d{1,3})\](?:\.(.*))?$/.exec(path) ?? [];
  const [member = ''] = rest.split('.', 1);
  return {
    ...(index === undefined ? {} : { entry: Number(index) }),
    ...(Object.hasOwn(fieldsByMember, member) ? { field: fieldsByMember[member] } : {}),
  };
};

/** Bulk payments: many entries from one account with one signature. */
export class BulkPayments {
  constructor(private readonly initiations: Initiations) {}

  async begin(
    session: Session,
    entries: readonly BulkEntry[],
    entered: EnteredBulk,
    psuIp: string,
  ): Promise<Begun> {
    const psu = { id: session.connection?.psuId, ip: psuIp };
    const outcome = await this.initiations.begin(bulkKind, bulkBody(entries, entered), psu);
    if ('refused' in outcome) return outcome;
    const { id, resourceId, scaRedirect } = outcome;
    session.bulks.set(id, { resourceId, entries });
    delete session.bulkFile;
    return { scaRedirect };
  }

  /** The status of the bulk and of its entries at the bank; undefined: it no longer exists there. */
  async state({ resourceId }: KnownBulk): Promise<BulkState | undefined> {
    return this.initiations.read<BulkState>(`${bulkKind.bankPath}/${resourceId}`);
  }

  /** Cancels it at the bank; false: it is too late. */
  async cancel({ resourceId }: KnownBulk): Promise<boolean> {
    return this.initiations.cancel(`${bulkKind.bankPath}/${resourceId}`);
  }
}
