import {
  type FoundPayment,
  maxCandidates,
  type PaymentSearch,
} from '@xs2a/contracts/console/payment-search.contract';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { PaymentStatus } from '@xs2a/domain/payment/payment-state';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import type { Pool } from 'pg';

/** The part of a search that columns of the status view answer. */
export type CandidateSearch = Pick<PaymentSearch, 'tppId' | 'psuId' | 'day' | 'amount'>;

export interface Candidates {
  /** The newest {@link maxCandidates}, newest first. */
  readonly payments: readonly FoundPayment[];
  /** The number of all candidates. */
  readonly total: number;
  /** True if rows that an earlier release wrote lack the time of the POST. */
  readonly isOutdated: boolean;
}

interface CandidateRow {
  readonly stream_id: string;
  readonly created_at: Date;
  readonly tpp_id: string;
  readonly service: PaymentService;
  readonly product: PaymentProduct;
  readonly status: PaymentStatus;
  readonly funds_available: boolean | null;
  readonly amount_minor: number;
  readonly currency: string;
}

const columns =
  'stream_id, created_at, tpp_id, service, product, status, funds_available, amount_minor, currency';
/** `$1`: the TPP or PSU; `$2` to `$3`: the day; `$4` and `$5`: the amount. */
const ofDay = 'created_at >= $2 AND created_at < $3';
const ofAmount = 'AND amount_minor = $4 AND currency = $5';
/** The rows of a TPP or a PSU. Those that a PSU is the only signer of and the others have separate indexes. */
const rowsOf = {
  tpp: ['tpp_id = $1'],
  psu: ['psu_id = $1', 'signers IS NOT NULL AND signers ? $1'],
};

/** SQL for the rows of a TPP or PSU that meet a further condition. */
const selectFrom = (by: keyof typeof rowsOf, selected: string, condition: string): string =>
  rowsOf[by]
    .map((rows) => `SELECT ${selected} FROM payment_view WHERE ${rows} AND ${condition}`)
    .join(' UNION ALL ');

/** The statements of a search. Each is an index scan (`3-payment-search-indexes.ts`). */
export const candidateStatements = (by: keyof typeof rowsOf, hasAmount: boolean) => {
  const found = selectFrom(by, columns, hasAmount ? `${ofDay} ${ofAmount}` : ofDay);
  return {
    page: `SELECT * FROM (${found}) AS candidate ORDER BY created_at DESC, stream_id DESC LIMIT ${maxCandidates + 1}`,
    count: `SELECT count(*) AS total FROM (${found}) AS candidate`,
    outdated: `SELECT EXISTS (${selectFrom(by, '', 'created_at IS NULL')}) AS "isOutdated"`,
  };
};

/** Reads the payments of a TPP or PSU on a day of the bank and, if given, with an amount. */
export const readCandidates = async (
  pool: Pool,
  { tppId, psuId, day, amount }: CandidateSearch,
  timeZone: string,
): Promise<Candidates> => {
  const by = tppId === undefined ? 'psu' : 'tpp';
  const text = candidateStatements(by, amount !== undefined);
  const name = `payments-of-${by}${amount === undefined ? '' : '-by-amount'}`;
  const values = [
    tppId ?? psuId,
    startOfBankDay(day, timeZone),
    startOfBankDay(addDays(day, 1), timeZone),
    ...(amount === undefined ? [] : [amount.minor, amount.currency]),
  ];
  const { rows } = await pool.query<CandidateRow>({ name, text: text.page, values });
  const counted =
    rows.length > maxCandidates
      ? await pool.query<{ total: number }>({ name: `${name}-count`, text: text.count, values })
      : undefined;
  const outdated = await pool.query<{ isOutdated: boolean }>({
    name: `payments-of-${by}-outdated`,
    text: text.outdated,
    values: values.slice(0, 1),
  });
  return {
    payments: rows.slice(0, maxCandidates).map(toFound),
    total: counted?.rows[0]?.total ?? rows.length,
    isOutdated: outdated.rows[0]?.isOutdated === true,
  };
};

const toFound = (row: CandidateRow): FoundPayment => ({
  paymentId: row.stream_id,
  createdAt: row.created_at.toISOString(),
  tppId: row.tpp_id,
  service: row.service,
  product: row.product,
  transactionStatus: row.status,
  fundsAvailable: row.funds_available ?? undefined,
  amount: { minor: row.amount_minor, currency: row.currency },
});
