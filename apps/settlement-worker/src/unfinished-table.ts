import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import { binaryArray } from '@xs2a/postgres/binary-array';
import type { Session } from '@xs2a/postgres/session-lock';

/** A transaction whose settlement has started or failed, and has not finished. */
export interface Unfinished extends TransactionRef {
  /** The number of failed attempts. */
  readonly failures: number;
  /** True if the transaction failed and its next attempt is not due yet. */
  readonly postponed: boolean;
}

interface Row extends Omit<Unfinished, 'partOf'> {
  readonly partOfPayment: string | null;
  readonly partNumber: number | null;
}

/**
 * The transactions in progress. They are written before a hold is requested, so that the next active instance
 * finds the holds that a crash left behind. Writes use the session that holds the active worker's lock, so nothing
 * can be started without the lock.
 */
export class UnfinishedTable {
  constructor(private readonly session: Session) {}

  async read(): Promise<Unfinished[]> {
    const { rows } = await this.session.query<Row>({
      name: 'unfinished',
      text: `SELECT payment_id AS "paymentId", part_of_payment AS "partOfPayment", part_number AS "partNumber", attempts AS failures,
          coalesce(retry_at > now(), false) AS postponed
        FROM unfinished ORDER BY payment_id`,
    });
    return rows.map(({ partOfPayment, partNumber, ...row }) =>
      partOfPayment === null || partNumber === null
        ? row
        : { ...row, partOf: { paymentId: partOfPayment, number: partNumber } },
    );
  }

  async begin(payments: readonly TransactionRef[]): Promise<void> {
    await this.session.query({
      name: 'unfinished-begin',
      text: `INSERT INTO unfinished (payment_id, part_of_payment, part_number)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[]) ON CONFLICT DO NOTHING`,
      values: [
        binaryArray(
          'uuid',
          payments.map(({ paymentId }) => paymentId),
        ),
        binaryArray(
          'uuid',
          payments.map(({ partOf }) => partOf?.paymentId),
        ),
        payments.map(({ partOf }) => partOf?.number),
      ],
    });
  }

  async finish(paymentIds: readonly string[]): Promise<void> {
    await this.session.query({
      name: 'unfinished-finish',
      text: 'DELETE FROM unfinished WHERE payment_id = ANY($1::uuid[])',
      values: [binaryArray('uuid', paymentIds)],
    });
  }

  /** Postpones the next attempt by a number of real seconds; `reason` is for an operator. */
  async postpone({ paymentId, partOf }: TransactionRef, seconds: number, reason: string): Promise<void> {
    await this.session.query({
      name: 'unfinished-postpone',
      text: `INSERT INTO unfinished AS u (payment_id, part_of_payment, part_number, attempts, retry_at, last_failure)
        VALUES ($1, $2, $3, 1, now() + make_interval(secs => $4), $5)
        ON CONFLICT (payment_id) DO UPDATE SET attempts = u.attempts + 1,
          retry_at = excluded.retry_at, last_failure = excluded.last_failure`,
      values: [paymentId, partOf?.paymentId, partOf?.number, seconds, reason],
    });
  }
}
