import type { MinorAmount, PaymentEvent, PaymentEventType } from '@xs2a/domain/payment/payment-events';
import { type InitiatingEventType, initiatingEventTypes } from '@xs2a/domain/payment/payment-transitions';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import type { ProjectedEvent, Projection } from '@xs2a/event-store/projections/projection';

type Initiated = Extract<PaymentEvent, { type: InitiatingEventType }>['data'];
type Converted = Extract<PaymentEvent, { type: 'converted-to-euro' }>['data'];

/** The outcome under which each event type is counted. */
const outcomes: Readonly<Partial<Record<PaymentEventType, string>>> = {
  initiated: 'initiated',
  'order-initiated': 'initiated',
  'bulk-initiated': 'initiated',
  signed: 'signed',
  settled: 'settled',
  'funds-refused': 'unfunded',
  'transaction-settled': 'settled',
  'transaction-refused': 'unfunded',
  rejected: 'rejected',
  cancelled: 'cancelled',
};

interface Line {
  readonly day: string;
  readonly product: string;
  readonly currency: string;
  readonly outcome: string;
  payments: number;
  /**
   * The sum in minor units. For unsigned payments it may be too large to be exact as a number, and even too large
   * for a bigint column.
   */
  minor: bigint;
}

/**
 * Payment statistics: the number and value (in minor units) of payments by bank day, product, currency and
 * outcome. A payment is counted on each day on which its outcome changed. A bulk payment is counted as its
 * entries. A periodic order is counted as one payment when it is initiated, signed or ended, and as one more for
 * each occurrence that is paid or lacks funds. After its conversion from leva, a payment is counted in euro.
 */
export const paymentVolumeDaily = (timeZone: string): Projection => ({
  name: 'payment_volume_daily',
  version: 4,
  purpose: 'number and value of payments by day, product, currency and outcome',
  types: Object.keys(outcomes),
  dataOf: [...initiatingEventTypes, 'transaction-settled', 'transaction-refused'],
  columns: `
    day date NOT NULL,
    product text NOT NULL,
    currency text NOT NULL,
    outcome text NOT NULL,
    payments bigint NOT NULL,
    minor numeric NOT NULL`,
  key: ['day', 'product', 'currency', 'outcome'],
  apply: async (client, { table, month }, events, { firstEvents, eventsOfType }) => {
    const begun = new Map<string, ProjectedEvent>();
    for (const event of events) if (event.version === 1) begun.set(event.streamId, event);
    const earlier = events.map(({ streamId }) => streamId).filter((id) => !begun.has(id));
    for (const [streamId, event] of await firstEvents(earlier)) begun.set(streamId, event);
    const later = events.filter(({ version }) => version > 1).map(({ streamId }) => streamId);
    const conversions = await eventsOfType('converted-to-euro', later);
    const lines = [...sums(events, { begun, conversions }, timeZone).values()];
    await client.query(
      `INSERT INTO ${table} AS kept (month, day, product, currency, outcome, payments, minor)
       SELECT $1, sums.* FROM unnest($2::date[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::numeric[]) AS sums
       ON CONFLICT (month, day, product, currency, outcome)
         DO UPDATE SET payments = kept.payments + excluded.payments, minor = kept.minor + excluded.minor`,
      [
        month,
        lines.map(({ day }) => day),
        lines.map(({ product }) => product),
        lines.map(({ currency }) => currency),
        lines.map(({ outcome }) => outcome),
        lines.map(({ payments }) => payments),
        lines.map(({ minor }) => String(minor)),
      ],
    );
  },
});

/** By stream id: the first event, and the conversion to euro of a stream that has one. */
type Streams = Readonly<Record<'begun' | 'conversions', ReadonlyMap<string, ProjectedEvent>>>;

const sums = (
  events: readonly ProjectedEvent[],
  { begun, conversions }: Streams,
  timeZone: string,
): Map<string, Line> => {
  const lines = new Map<string, Line>();
  const toDay = bankDays(timeZone);
  for (const event of events) {
    const outcome = outcomes[event.type as PaymentEventType];
    const first = begun.get(event.streamId);
    if (outcome === undefined || first === undefined) continue;
    const { product } = first.data as Initiated;
    const day = toDay(event.atMs);
    const conversion = conversions.get(event.streamId);
    const isConverted = conversion !== undefined && conversion.version < event.version;
    const converted = isConverted ? (conversion.data as Converted) : undefined;
    for (const { currency, minor } of listAmounts(first.data as Initiated, converted, event)) {
      const key = `${day} ${product} ${currency} ${outcome}`;
      const line = lines.get(key) ?? { day, product, currency, outcome, payments: 0, minor: 0n };
      line.payments += 1;
      line.minor += BigInt(minor);
      lines.set(key, line);
    }
  }
  return lines;
};

/**
 * Returns the amounts that an event concerns: one occurrence or entry, a single payment, or all entries of a bulk
 * payment.
 */
const listAmounts = (
  initiated: Initiated,
  converted: Converted | undefined,
  { type, data }: ProjectedEvent,
): readonly MinorAmount[] => {
  const orders = converted?.amounts ?? ('orders' in initiated ? initiated.orders : [initiated.order]);
  if (type.startsWith('transaction-')) {
    const order = orders[(data as { readonly number: number }).number - 1] ?? orders[0];
    return order === undefined ? [] : [order.amount];
  }
  // No entry had funds, and each was already counted when it was refused.
  if (type === 'funds-refused' && 'orders' in initiated) return [];
  return orders.map(({ amount }) => amount);
};

const quarterMs = 15 * 60_000;

/**
 * Returns a function that gives the bank's date at an instant. It caches by quarter of an hour, because midnight
 * is at a full quarter of an hour in every time zone.
 */
const bankDays = (timeZone: string): ((atMs: number) => string) => {
  const known = new Map<number, string>();
  return (atMs) => {
    const quarter = Math.floor(atMs / quarterMs);
    const day = known.get(quarter) ?? toBankDate(new Date(atMs).toISOString(), timeZone);
    known.set(quarter, day);
    return day;
  };
};
