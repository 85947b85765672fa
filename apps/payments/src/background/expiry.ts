import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { expirePayment } from '@xs2a/domain/payment/authorise-payment';
import type { Logger } from '@xs2a/observability/logger';
import { Batches } from '@xs2a/postgres/batches';
import { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

const maxBatch = 100;
const everyMs = 500;

/** Rejects payments that were not signed in time (contract 8). */
@Injectable()
export class Expiry implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly unsigned: Sweep;
  private readonly batches = new Batches(maxBatch);

  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.unsigned = new Sweep({
      name: 'unsigned payments',
      everyMs,
      clock,
      logger,
      run: async () => this.batches.next(async (limit) => this.rejectOverdue(limit)),
    });
  }

  onApplicationBootstrap(): void {
    this.unsigned.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.unsigned.stop();
  }

  /** Rejects all overdue payments now; returns the number rejected. */
  async expireDue(): Promise<number> {
    return this.unsigned.drain();
  }

  private async rejectOverdue(limit: number): Promise<number> {
    const now = this.clock.now();
    const { rows } = await this.pool.query<{ stream_id: string }>({
      name: 'payments-overdue',
      text: 'SELECT stream_id FROM payment_view WHERE unsigned_until <= $1 ORDER BY unsigned_until LIMIT $2',
      values: [now, limit],
    });
    if (rows.length === 0) return 0;
    const ids = rows.map(({ stream_id }) => stream_id);
    const results = await this.store.many.change(ids, (state) => expirePayment(state, { now }), {
      actor: 'payments',
    });
    return [...results.values()].filter((result) => 'state' in result && result.state.status === 'RJCT')
      .length;
  }
}
