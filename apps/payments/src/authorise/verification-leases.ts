import { Inject, Injectable } from '@nestjs/common';
import { newId } from '@xs2a/runtime/ids';
import { POOL } from '@xs2a/runtime/tokens';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';

/** Milliseconds until an instance tries again to get a lease that another one holds. */
const againMs = 50;

/**
 * Lets one instance at a time ask the bank about the payees of a payment. The lease of an instance that crashed ends by
 * itself. It holds no connection, because the bank may take seconds.
 */
@Injectable()
export class VerificationLeases {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Waits for the lease, then runs the work, which must end within this many real milliseconds. */
  async run(paymentId: string, withinMs: number, work: () => Promise<void>): Promise<void> {
    const holder = newId();
    while (!(await this.take(paymentId, holder, withinMs))) await wait(againMs);
    try {
      await work();
    } finally {
      await this.end(paymentId, holder);
    }
  }

  private async take(paymentId: string, holder: string, withinMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'payee-lease-take',
      text: `INSERT INTO payee_verification_lease AS l (payment_id, holder, until)
        VALUES ($1, $2, now() + make_interval(secs => $3::float8 / 1000))
        ON CONFLICT (payment_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
        WHERE l.until <= now()`,
      values: [paymentId, holder, withinMs],
    });
    return rowCount === 1;
  }

  /** Deletes the lease, and those that instances left behind when they crashed. */
  private async end(paymentId: string, holder: string): Promise<void> {
    await this.pool.query({
      name: 'payee-lease-end',
      text: `DELETE FROM payee_verification_lease WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM payee_verification_lease
        WHERE (payment_id = $1 AND holder = $2) OR until <= now() - interval '1 minute' FOR UPDATE SKIP LOCKED))`,
      values: [paymentId, holder],
    });
  }
}
