import { formatAmount } from '@xs2a/domain/money/money';
import { InvalidArgumentError } from 'commander';
import {
  type PaymentProduct,
  parsePaymentProduct,
  paymentProducts,
} from '@xs2a/domain/payment/payment-products';
import { addDays, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { listProjections } from '@xs2a/event-store/projections/checkpoints';
import type { Pool } from 'pg';
import { defineCommand } from '../command-line/define-command.js';
import { isoDate, option } from '../command-line/options.js';
import { columns, counted } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { readTimeZone } from '../events/read-models.js';

interface VolumeQuery {
  /** Days in the bank's time zone, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly product?: PaymentProduct;
}

export interface VolumeTotal {
  readonly currency: string;
  /** The outcome of the payments on that day. */
  readonly outcome: string;
  readonly payments: number;
  /** The exact total value of the payments in major units. */
  readonly amount: string;
}
interface VolumeLine extends VolumeTotal {
  readonly day: string;
  readonly product: string;
}

export interface Volume extends VolumeQuery {
  /** One line for each day, product, currency and outcome. */
  readonly lines: readonly VolumeLine[];
  /** Totals over all days and products. */
  readonly totals: readonly VolumeTotal[];
  /** Events in the log that the read model has not processed yet. */
  readonly behind: number;
}

export interface VolumeRow {
  readonly day: string;
  readonly product: string;
  readonly currency: string;
  readonly outcome: string;
  readonly payments: number;
  /** Minor units as text, since sums may exceed the largest safe integer. */
  readonly minor: string;
}

/** Totals the rows by currency and outcome. */
export const addTotals = (rows: readonly VolumeRow[]): readonly VolumeTotal[] => {
  const groups = Map.groupBy(rows, ({ currency, outcome }) => `${currency} ${outcome}`);
  return [...groups.keys()].sort().flatMap((key) => {
    const group = groups.get(key) ?? [];
    const [currency = '', outcome = ''] = key.split(' ');
    const payments = group.reduce((sum, row) => sum + row.payments, 0);
    const minor = group.reduce((sum, row) => sum + BigInt(row.minor), 0n);
    return { currency, outcome, payments, amount: formatAmount({ minor, currency }) };
  });
};

/** Returns the number and value of payments in a period, from the read model. */
const paymentVolume = async (pool: Pool, query: VolumeQuery): Promise<Volume> => {
  const checkpoints = await listProjections(pool);
  const behind = checkpoints.find(({ name }) => name === 'payment_volume_daily')?.behind ?? 0;
  const { rows } = await pool.query<VolumeRow>(
    `SELECT day, product, currency, outcome, sum(payments)::bigint AS payments, sum(minor)::text AS minor
     FROM payment_volume_daily WHERE day BETWEEN $1 AND $2 AND ($3::text IS NULL OR product = $3)
     GROUP BY day, product, currency, outcome ORDER BY day, product, currency, outcome`,
    [query.from, query.to, query.product ?? null],
  );
  const lines = rows.map(({ minor, ...row }) => ({
    ...row,
    amount: formatAmount({ minor: BigInt(minor), currency: row.currency }),
  }));
  return { ...query, lines, totals: addTotals(rows), behind };
};

/** Returns the heading and cells of a right-aligned column of amounts. */
const amountColumn = (totals: readonly VolumeTotal[]): readonly string[] => {
  const cells = ['amount', ...totals.map(({ amount }) => amount)];
  const width = Math.max(...cells.map(({ length }) => length));
  return cells.map((cell) => cell.padStart(width));
};

const table = <Line extends VolumeTotal>(
  lines: readonly Line[],
  headings: readonly string[],
  cells: (line: Line) => readonly string[],
): string => {
  const [amount = '', ...amounts] = amountColumn(lines);
  return columns(
    [...headings, 'currency', 'outcome', 'payments', amount],
    lines.map((line, index) => [
      ...cells(line),
      line.currency,
      line.outcome,
      line.payments,
      amounts[index] ?? '',
    ]),
  );
};

const behindText = (behind: number): readonly string[] =>
  behind === 0 ? [] : [`The read model is ${counted(behind, 'event')} behind the log.`];

export const volumeText = ({ from, to, product, lines, totals, behind }: Volume): string => {
  const period = `${product === undefined ? '' : `${product}, `}${from} to ${to}`;
  const tables =
    lines.length === 0
      ? [`No payments: ${period}.`]
      : [
          table(lines, ['day', 'product'], (line) => [line.day, line.product]),
          `\ntotal, ${period}`,
          table(totals, [], () => []),
        ];
  return [...tables, ...behindText(behind)].join('\n');
};

const productNamed = (text: string): PaymentProduct => {
  const product = parsePaymentProduct(text);
  if (product === undefined)
    throw new InvalidArgumentError(`It must be one of ${paymentProducts.join(', ')}.`);
  return product;
};

/** The number of days shown by default. */
const daysBefore = 7;

export const volume = defineCommand({
  name: 'volume',
  help: 'number and value by day, product, currency and outcome, and their totals',
  options: {
    from: option(
      '<day>',
      `the first day, in the bank’s time zone (default: ${daysBefore} days before the last)`,
      isoDate,
    ),
    to: option('<day>', 'the last day (default: today at the bank)', isoDate),
    product: option('<product>', 'only this product, such as SEPA-Credit-Transfer', productNamed),
  },
  run: async ({ connections, options: { product, ...period } }) => {
    const now = async (): Promise<string> => new Date(await connections.nowMs()).toISOString();
    const to = period.to ?? toBankDate(await now(), readTimeZone(connections));
    const from = period.from ?? addDays(to, -daysBefore);
    if (from > to) throw new Refusal(`The first day, ${from}, is after the last, ${to}.`, 2);
    return paymentVolume(connections.reader('payments'), { from, to, product });
  },
  text: volumeText,
});
