import { formatAmount } from '@xs2a/domain/money/money';
import {
  listOccurrences,
  type ListedOccurrence,
  maxOccurrenceEvents,
  occurrenceEventTypes,
} from '@xs2a/domain/order/occurrence-list';
import type { PeriodicSchedule } from '@xs2a/domain/order/periodic-schedule';
import type { PaymentEvent, PaymentOrder } from '@xs2a/domain/payment/payment-events';
import {
  type BulkEntry,
  listOrders,
  type PaymentState,
  getService,
} from '@xs2a/domain/payment/payment-state';
import { nextDueAt } from '@xs2a/domain/payment/settlement/due';
import type { Connections } from '../connections.js';
import {
  decryptStored,
  placeOfState,
  streamKeyOf,
  unwrapped,
} from '@xs2a/event-store/encryption/stream-keys';
import { lastFour } from '@xs2a/resources/masking';
import { counted, table } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';

/** An entry of a bulk payment, as shown to an operator. */
interface ShownEntry extends Pick<BulkEntry, 'transactionStatus' | 'fundsAvailable'> {
  /** The entry's number, counted from 1 in the order of the request body. */
  readonly number: number;
  /** The amount in major units with its currency. */
  readonly amount: string;
}

/** A single payment, periodic order or bulk payment in its current state, without account numbers. */
export interface ShownPayment {
  readonly paymentId: string;
  readonly service: string;
  readonly product: string;
  readonly tppId: string;
  readonly status: string;
  readonly fundsAvailable: boolean | null;
  /** The amount of each payment or, for a bulk payment, the sum; in major units with its currency. */
  readonly amount: string;
  /** The last four characters of the account; null if PAYMENTS_MASTER_KEYS is not set. */
  readonly debtor: string | null;
  readonly signedAt: string | null;
  /** When settlement must next act on the payment. */
  readonly nextDueAt: string | null;
  readonly schedule?: PeriodicSchedule;
  /** True if a signer stopped the periodic order; false if it was not, or the TPP cancelled it. */
  readonly isStoppedByPsu?: boolean;
  /** The latest 100 occurrences that were executed or skipped, and the next one. */
  readonly occurrences?: readonly ListedOccurrence[];
  readonly entries?: readonly ShownEntry[];
}

/** Reads the current state of a payment. Throws {@link Refusal} if the text is not an id. */
export const showPayment = async (
  connections: Connections,
  id: string,
): Promise<ShownPayment | undefined> => {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw new Refusal(`${id} is not the id of a payment or signing basket.`, 2);
  const pool = connections.pool('payments');
  const { rows } = await pool.query<{ state: PaymentState; stream_key: Buffer | null }>(
    `SELECT state, ${streamKeyOf('v')} AS stream_key FROM payment_view v WHERE stream_id = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const masterKeys = await connections.masterKeys('payments');
  const key = masterKeys && unwrapped(row.stream_key, { masterKeys });
  const state =
    key === undefined
      ? row.state
      : (decryptStored(row.state, { streamId: id, place: placeOfState(id), key }) as PaymentState);
  return {
    ...summarise(state),
    ...(state.service === 'periodic-payments'
      ? {
          schedule: state.schedule,
          isStoppedByPsu: state.stoppedBy !== undefined,
          occurrences: listOccurrences(state, await occurrenceEvents(connections, id)),
        }
      : {}),
    ...(state.service === 'bulk-payments' ? { entries: listEntries(state.orders, state.entries) } : {}),
  };
};

/** Summarises a payment without the details of its payment service. */
export const summarise = (state: PaymentState): ShownPayment => {
  const orders = listOrders(state);
  const currency = orders[0]?.amount.currency ?? '';
  const minor = orders.reduce((sum, { amount }) => sum + amount.minor, 0);
  return {
    paymentId: state.paymentId,
    service: getService(state),
    product: state.product,
    tppId: state.tppId,
    status: state.status,
    fundsAvailable: state.fundsAvailable ?? null,
    amount: amountText({ minor, currency }),
    debtor: findDebtor(orders[0]),
    signedAt: state.signed?.signedAt ?? null,
    nextDueAt: nextDueAt(state) ?? null,
  };
};

/** The last four characters of the debtor account; null for an order that was not decrypted. */
const findDebtor = (order: Partial<PaymentOrder> = {}): string | null =>
  order.debtorIban === undefined ? null : lastFour(order.debtorIban);

const amountText = (amount: PaymentOrder['amount']): string => `${formatAmount(amount)} ${amount.currency}`;

const occurrenceEvents = async (connections: Connections, id: string): Promise<PaymentEvent[]> => {
  const { rows } = await connections.pool('payments').query<PaymentEvent>(
    `SELECT type, data FROM events WHERE stream_id = $1 AND type = ANY($2::text[])
     ORDER BY version DESC LIMIT ${maxOccurrenceEvents}`,
    [id, occurrenceEventTypes],
  );
  return rows.reverse();
};

const listEntries = (orders: readonly PaymentOrder[], entries: readonly BulkEntry[]): ShownEntry[] =>
  entries.flatMap(({ transactionStatus, fundsAvailable }, index) => {
    const order = orders[index];
    if (order === undefined) return [];
    return [{ number: index + 1, amount: amountText(order.amount), transactionStatus, fundsAvailable }];
  });

export const fundsText = (fundsAvailable: boolean | null | undefined): string =>
  fundsAvailable === false ? 'no funds' : '';

/** For example `Monthly on day 31 from 2026-11-30 until 2027-12-31, preceding`. */
const scheduleText = (schedule: PeriodicSchedule): string => {
  const { endDate, numberOfPayments, dayOfExecution, monthsOfExecution, executionRule } = schedule;
  return [
    schedule.frequency,
    dayOfExecution === undefined ? '' : ` on day ${dayOfExecution}`,
    monthsOfExecution === undefined ? '' : ` of months ${monthsOfExecution.join(', ')}`,
    ` from ${schedule.startDate}`,
    endDate === undefined ? '' : ` until ${endDate}`,
    numberOfPayments === undefined ? '' : `, ${counted(numberOfPayments, 'payment')}`,
    executionRule === undefined ? '' : `, ${executionRule} if it is not a banking day`,
  ].join('');
};

const occurrencesText = (occurrences: readonly ListedOccurrence[]): string =>
  table(occurrences, {
    occurrence: ({ number }) => number,
    day: ({ executionDate }) => executionDate,
    status: ({ fundsAvailable, transactionStatus }) =>
      fundsAvailable === undefined && transactionStatus === 'ACTC' ? 'next' : transactionStatus,
    funds: ({ fundsAvailable }) => fundsText(fundsAvailable),
    transaction: ({ transactionId }) => transactionId,
  });

const entriesText = (entries: readonly ShownEntry[]): string => {
  const describeStatus = ({ transactionStatus, fundsAvailable }: ShownEntry): string =>
    `${transactionStatus} ${fundsText(fundsAvailable)}`.trim();
  const byStatus = [...Map.groupBy(entries, describeStatus)];
  const open = entries.filter(({ transactionStatus }) => transactionStatus !== 'ACSC');
  return [
    `${entries.length} entries: ${byStatus.map(([status, { length }]) => `${length} ${status}`).join(', ')}`,
    ...(open.length === 0
      ? []
      : [
          table(open, {
            entry: ({ number }) => number,
            amount: ({ amount }) => amount,
            status: describeStatus,
          }),
        ]),
  ].join('\n');
};

/** Formats a payment as text; for a bulk payment, with the unpaid entries and the number of paid ones. */
export const paymentText = (payment: ShownPayment): string => {
  const { service, paymentId, product, status, fundsAvailable, amount, debtor, tppId, signedAt } = payment;
  return [
    `${service} ${paymentId}: ${`${status} ${fundsText(fundsAvailable)}`.trim()}`,
    `${product}, ${amount} from ${debtor ?? '(encrypted)'}, TPP ${tppId}, ${signedAt === null ? 'not signed' : `signed ${signedAt}`}`,
    ...(payment.schedule === undefined ? [] : [scheduleText(payment.schedule)]),
    ...(payment.isStoppedByPsu === true ? ['stopped by the PSU'] : []),
    ...(payment.nextDueAt === null ? [] : [`next due ${payment.nextDueAt}`]),
    ...(payment.occurrences === undefined || payment.occurrences.length === 0
      ? []
      : [occurrencesText(payment.occurrences)]),
    ...(payment.entries === undefined ? [] : [entriesText(payment.entries)]),
  ].join('\n');
};
