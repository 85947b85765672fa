import { Inject, Injectable } from '@nestjs/common';
import type { OccurrenceView, PaymentAuthorisationRef, PaymentRef } from '@xs2a/contracts/payments.contract';
import { upcastData } from '@xs2a/events/event-types';
import {
  listOccurrences,
  maxOccurrenceEvents,
  occurrenceEventTypes,
} from '@xs2a/domain/order/occurrence-list';
import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import type { ReasonCode } from '@xs2a/domain/payment/instant/instant-answer';
import type { PaymentEvent, RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { PaymentState, PaymentStatus, PeriodicOrder } from '@xs2a/domain/payment/payment-state';
import { authorisationIn } from '@xs2a/domain/sca/authorisations';
import { callFailed } from '@xs2a/domain/failure/failed';
import { occurrenceTransactionId } from '@xs2a/runtime/booking-ids';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import { POOL } from '@xs2a/runtime/tokens';
import { promptly } from '@xs2a/postgres/pool';
import type { Pool, QueryConfig } from 'pg';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

export interface PaymentStatusView {
  readonly transactionStatus: PaymentStatus;
  readonly fundsAvailable?: boolean;
  readonly rejectionReason?: RejectionReason;
  readonly reasonCode?: ReasonCode;
}

interface ViewRow {
  readonly tpp_id: string;
  readonly service: PaymentService;
  readonly product: PaymentProduct;
  readonly status: PaymentStatus;
  readonly funds_available: boolean | null;
  readonly rejection_reason: RejectionReason | null;
  readonly reason_code: ReasonCode | null;
  readonly hidden: boolean;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const statusColumns =
  'tpp_id, service, product, status, funds_available, rejection_reason, reason_code, hidden';
const stateColumns = `stream_id, version, state, ${streamKeyOf('payment_view')} AS stream_key`;
const maxListed = 100;
/** A periodic order that has not ended. */
const isLiveOrder = `service = 'periodic-payments' AND status IN ('PATC', 'ACCP', 'ACSP')`;
const readTogether = 10;
/** How many payments are listed at a time, so that the answer fits into a NATS message. */
const listedAtOnce = 250;

/** Reads from the status view, which is written together with the events. */
@Injectable()
export class PaymentReads {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
  ) {}

  /**
   * Returns the payment's status. Throws resourceUnknown if the payment does not exist, belongs to another TPP or
   * was cleared, serviceWrong if it belongs to another payment service, and productWrong if it belongs to another
   * product.
   */
  async status(ref: PaymentRef): Promise<PaymentStatusView> {
    const row = await this.row<ViewRow>('payment-status', statusColumns, ref.paymentId);
    return toStatusView(visible(row, ref));
  }

  /** Returns the whole payment; throws the same errors as {@link status}. */
  async ofTpp(ref: PaymentRef): Promise<PaymentState> {
    const columns = `${statusColumns}, ${stateColumns}`;
    const row = await this.row<ViewRow & StateRow>('payment-of-tpp', columns, ref.paymentId);
    return this.readState(visible(row, ref));
  }

  /**
   * Returns the service and the product of the payment. Throws resourceUnknown if the payment, of any payment service, does
   * not exist, belongs to another TPP or was cleared.
   */
  async requireOwn({
    tppId,
    paymentId,
  }: Pick<PaymentRef, 'tppId' | 'paymentId'>): Promise<Pick<ViewRow, 'service' | 'product'>> {
    // Some callers have a timeout of five seconds. They too must fail within two seconds if PostgreSQL does not answer.
    const row = await this.row<ViewRow>('payment-status', statusColumns, paymentId, promptly);
    const { service, product } = requireOwner(row, tppId);
    return { service, product };
  }

  /**
   * Returns the latest occurrences of a periodic order and the next one. They are read from its events because
   * their number is unlimited.
   */
  async occurrences(order: PeriodicOrder): Promise<readonly OccurrenceView[]> {
    const { rows } = await this.pool.query<{ type: string; schema_version: number; data: unknown }>({
      name: 'payment-occurrences',
      text: `SELECT type, schema_version, data FROM events WHERE stream_id = $1 AND type = ANY($2::text[])
        ORDER BY version DESC LIMIT ${maxOccurrenceEvents}`,
      values: [order.paymentId, occurrenceEventTypes],
    });
    const events = rows.reverse().map(({ type, schema_version: schemaVersion, data }) => ({
      type,
      data: upcastData(paymentEventTypes, { type, schemaVersion, data }),
    }));
    return listOccurrences(order, events as PaymentEvent[]).map(({ number, ...occurrence }) => ({
      transactionId: occurrenceTransactionId({ paymentId: order.paymentId, number }),
      ...occurrence,
    }));
  }

  /** Returns the payment of an authorisation; throws resourceUnknown if the two ids do not belong together. */
  async authorisation({ paymentId, authorisationId }: PaymentAuthorisationRef): Promise<PaymentState> {
    const row = await this.row<StateRow>('payment-state', stateColumns, paymentId);
    if (row === undefined) throw callFailed('resourceUnknown');
    const state = await this.readState(row);
    if (authorisationIn(state, authorisationId) === undefined) throw callFailed('resourceUnknown');
    return state;
  }

  /**
   * Returns the payments that the PSU signed, as the only signer or as one of several, newest first: the newest 100,
   * and every periodic order that has not ended, because the PSU must be able to stop it. Of several pages, counted from
   * 0, returns one; the last if there is no such page. Each payment is converted by `toListed`. Only a few are in memory at
   * a time, because a bulk payment may be as large as half a megabyte.
   */
  async signedBy<Listed>(
    psuId: string,
    asked: number,
    toListed: (state: PaymentState) => readonly Listed[],
  ): Promise<{ readonly listed: readonly Listed[]; readonly page?: number; readonly pages?: number }> {
    const { rows } = await this.pool.query<{ stream_id: string }>({
      name: 'payments-signed',
      text: `SELECT stream_id FROM (
          (SELECT signed_at, stream_id FROM (
              (SELECT signed_at, stream_id FROM payment_view WHERE psu_id = $1 AND signed_at IS NOT NULL
                ORDER BY signed_at DESC, stream_id DESC LIMIT ${maxListed})
              UNION ALL SELECT signed_at, stream_id FROM payment_view WHERE signers ? $1) AS signed
            ORDER BY signed_at DESC, stream_id DESC LIMIT ${maxListed})
          UNION SELECT signed_at, stream_id FROM payment_view
            WHERE psu_id = $1 AND signed_at IS NOT NULL AND ${isLiveOrder}
          UNION SELECT signed_at, stream_id FROM payment_view WHERE signers ? $1 AND ${isLiveOrder}) AS listed
        ORDER BY signed_at DESC, stream_id DESC`,
      values: [psuId],
    });
    const pages = Math.max(1, Math.ceil(rows.length / listedAtOnce));
    const page = Math.min(asked, pages - 1);
    const ofPage = rows.slice(page * listedAtOnce, (page + 1) * listedAtOnce);
    const listed: Listed[] = [];
    for (let from = 0; from < ofPage.length; from += readTogether) {
      const ids = ofPage.slice(from, from + readTogether).map(({ stream_id }) => stream_id);
      const { rows: found } = await this.pool.query<StateRow>({
        name: 'payments-signed-states',
        text: `SELECT ${stateColumns} FROM payment_view JOIN unnest($1::uuid[]) WITH ORDINALITY AS wanted (stream_id, place)
          USING (stream_id) ORDER BY place`,
        values: [ids],
      });
      listed.push(...(await this.store.many.readStates(found)).flatMap(toListed));
    }
    return pages === 1 ? { listed } : { listed, page, pages };
  }

  private async readState(row: StateRow): Promise<PaymentState> {
    const [state] = await this.store.many.readStates([row]);
    if (state === undefined) throw callFailed('resourceUnknown');
    return state;
  }

  /** `within` may limit how long the server may take. */
  private async row<Row>(
    name: string,
    columns: string,
    paymentId: string,
    within: (query: QueryConfig) => QueryConfig = (query) => query,
  ): Promise<Row | undefined> {
    if (!uuid.test(paymentId)) return undefined;
    const text = `SELECT ${columns} FROM payment_view WHERE stream_id = $1`;
    const { rows } = await this.pool.query(within({ name, text, values: [paymentId] }));
    return rows[0] as Row | undefined;
  }
}

const requireOwner = <Row extends ViewRow>(row: Row | undefined, tppId: string): Row => {
  if (row === undefined || row.hidden || row.tpp_id !== tppId) throw callFailed('resourceUnknown');
  return row;
};

const visible = <Row extends ViewRow>(
  found: Row | undefined,
  { tppId, service, product, formerProduct }: PaymentRef,
): Row => {
  const row = requireOwner(found, tppId);
  if (row.service !== service) throw callFailed('serviceWrong');
  if (row.product !== product && row.product !== formerProduct) {
    throw callFailed(
      'productWrong',
      undefined,
      `This payment is a ${row.product}. Use the path of that product.`,
    );
  }
  return row;
};

const toStatusView = ({
  status,
  funds_available,
  rejection_reason,
  reason_code,
}: ViewRow): PaymentStatusView => ({
  transactionStatus: status,
  fundsAvailable: funds_available ?? undefined,
  rejectionReason: rejection_reason ?? undefined,
  reasonCode: reason_code ?? undefined,
});
