import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import {
  maxCountedLater,
  type QueuedPayment,
  readSettlementQueue,
  type SettlementQueue,
} from '@xs2a/contracts/payments.contract';
import { mustBeLimit } from '@xs2a/calls/checks';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { PaymentStatus } from '@xs2a/domain/payment/payment-state';
import { Clock } from '@xs2a/runtime/clock';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { dueState } from './due-state.js';
import { countUnfinished } from './unfinished-payments.js';

interface Row {
  readonly stream_id: string;
  readonly tpp_id: string;
  readonly service: PaymentService;
  readonly status: PaymentStatus;
  readonly state: QueuedPayment['state'];
  readonly due_at: Date;
  readonly amount_minor: number | null;
  readonly currency: string | null;
}

/** The console's page Settlement, and the figures of its page Now. */
export class ReadSettlementQueue extends QueryOf(readSettlementQueue) {}

@QueryHandler(ReadSettlementQueue)
export class ReadSettlementQueueHandler implements IQueryHandler<ReadSettlementQueue> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { limit } }: ReadSettlementQueue): Promise<SettlementQueue> {
    mustBeLimit(limit);
    const at = this.clock.now();
    const [unfinished, later, payments] = await Promise.all([
      countUnfinished(this.pool, at),
      this.countLater(at),
      limit === 0 ? [] : this.readQueue(at, limit),
    ]);
    return { at, unfinished, later, payments };
  }

  private async countLater(at: string): Promise<number> {
    const { rows } = await this.pool.query<{ later: number }>({
      name: 'payments-due-later',
      text: `SELECT count(*) AS later FROM (SELECT FROM payment_view WHERE due_at > $1::timestamptz LIMIT ${maxCountedLater}) AS one`,
      values: [at],
    });
    return rows[0]?.later ?? 0;
  }

  private async readQueue(at: string, limit: number): Promise<QueuedPayment[]> {
    const { rows } = await this.pool.query<Row>({
      name: 'payments-queued',
      text: `SELECT stream_id, tpp_id, service, status, due_at, amount_minor, currency, ${dueState('due_at', '$1::timestamptz')} AS state
        FROM payment_view WHERE due_at IS NOT NULL ORDER BY due_at, stream_id LIMIT $2`,
      values: [at, limit],
    });
    return rows.map(toQueued);
  }
}

const toQueued = (row: Row): QueuedPayment => ({
  paymentId: row.stream_id,
  tppId: row.tpp_id,
  service: row.service,
  status: row.status,
  state: row.state,
  dueAt: row.due_at.toISOString(),
  amount:
    row.amount_minor === null || row.currency === null
      ? undefined
      : { minor: row.amount_minor, currency: row.currency },
});
