import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { listOwnPayments, type OwnPaymentRow } from '@xs2a/contracts/sandbox/own-payments.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

interface Row extends Pick<OwnPaymentRow, 'service' | 'product'> {
  readonly stream_id: string;
  readonly status: OwnPaymentRow['transactionStatus'];
  readonly amount_minor: number;
  readonly currency: string;
  readonly created_at: Date;
  readonly due_at: Date | null;
  readonly funds_available: boolean | null;
}

/** The position of a payment in a list: `<epoch milliseconds>-<payment id>`. */
const cursorForm = /^(\d{1,15})-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
const toCursor = ({ created_at, stream_id }: Row): string => `${created_at.getTime()}-${stream_id}`;
/** The position before which every payment is. */
const newest = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** The payments of a TPP ($1) before a position ($2, $3), newest first. Cleared payments are skipped. */
export const ownPaymentsSql = `SELECT stream_id, service, product, status, amount_minor, currency, created_at, due_at, funds_available
  FROM payment_view WHERE tpp_id = $1 AND (created_at, stream_id) < ($2::timestamptz, $3::uuid) AND NOT hidden
  ORDER BY created_at DESC, stream_id DESC LIMIT $4`;

/** A TPP in the sandbox lists its payments (contract 13). */
export class ListOwnPayments extends QueryOf(listOwnPayments) {}

/** Lists the TPP's payments, newest first. */
@QueryHandler(ListOwnPayments)
export class ListOwnPaymentsHandler implements IQueryHandler<ListOwnPayments> {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async execute({
    request: { tppId, limit, before },
  }: ListOwnPayments): Promise<AnswerOf<typeof listOwnPayments>> {
    const { rows } = await this.pool.query<Row>({
      name: 'payments-own',
      text: ownPaymentsSql,
      // One more than the page, to find out whether there is a next page.
      values: [tppId, ...parseCursor(before), limit + 1],
    });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { payments: page.map(toOwnPayment), next: last && toCursor(last) };
  }
}

/** Throws CallFailed for a text that is not the cursor of a page. */
const parseCursor = (before: string | undefined): unknown[] => {
  if (before === undefined) return newest;
  const [, atMs, paymentId] = cursorForm.exec(before) ?? [];
  if (atMs === undefined)
    throw callFailed('fieldMalformed', 'cursor', 'Use a link from an earlier page unchanged.');
  return [new Date(Number(atMs)), paymentId];
};

/** The statuses in which a payment waits for its execution. In a later one, only steps inside the bank are due. */
const waiting: ReadonlySet<Row['status']> = new Set(['ACCP', 'ACSP']);

const toOwnPayment = (row: Row): OwnPaymentRow => ({
  paymentId: row.stream_id,
  service: row.service,
  product: row.product,
  transactionStatus: row.status,
  amount: { minor: row.amount_minor, currency: row.currency },
  createdAt: row.created_at.toISOString(),
  dueAt: row.due_at !== null && waiting.has(row.status) ? row.due_at.toISOString() : undefined,
  fundsAvailable: row.funds_available ?? undefined,
});
