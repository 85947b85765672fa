import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import type { Session } from '@xs2a/postgres/session-lock';

/** A rejected instant payment about which the bank still has to be asked. */
export interface FollowUp extends TransactionRef {
  /** Since when, in real time. */
  readonly since: Date;
  /** The number of failed attempts. */
  readonly failures: number;
}

interface Row extends Omit<FollowUp, 'partOf'> {
  readonly partOfPayment: string | null;
  readonly partNumber: number | null;
}

/**
 * Rejected instant payments of which the bank did not say whether the payee was paid, or did not void the hold. A row is
 * written before the rejection, and stays for the operators if the payee turns out to be paid. Writes use the session
 * that holds the active worker's lock.
 */
export class FollowUpTable {
  constructor(private readonly session: Session) {}

  async add({ paymentId, partOf }: TransactionRef): Promise<void> {
    await this.session.query({
      name: 'follow-up-add',
      text: `INSERT INTO instant_follow_up (payment_id, part_of_payment, part_number)
        VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      values: [paymentId, partOf?.paymentId, partOf?.number],
    });
  }

  /** Reads those whose next attempt is due, oldest first. */
  async readDue(limit: number): Promise<FollowUp[]> {
    const { rows } = await this.session.query<Row>({
      name: 'follow-ups-due',
      text: `SELECT payment_id AS "paymentId", part_of_payment AS "partOfPayment", part_number AS "partNumber",
          added_at AS since, attempts AS failures FROM instant_follow_up
        WHERE retry_at <= now() AND confirmed_at IS NULL ORDER BY retry_at, payment_id LIMIT $1`,
      values: [limit],
    });
    return rows.map(({ partOfPayment, partNumber, ...row }) =>
      partOfPayment === null || partNumber === null
        ? row
        : { ...row, partOf: { paymentId: partOfPayment, number: partNumber } },
    );
  }

  /** Nothing is left to do: the payee was not paid, and the hold is gone. */
  async finish(paymentId: string): Promise<void> {
    await this.session.query({
      name: 'follow-up-finish',
      text: 'DELETE FROM instant_follow_up WHERE payment_id = $1',
      values: [paymentId],
    });
  }

  /** The payee was paid although the payment is rejected; the row stays for the operators. */
  async confirm(paymentId: string): Promise<void> {
    await this.session.query({
      name: 'follow-up-confirm',
      text: 'UPDATE instant_follow_up SET confirmed_at = now() WHERE payment_id = $1',
      values: [paymentId],
    });
  }

  /** Postpones the next attempt by a number of real seconds. */
  async postpone(paymentId: string, seconds: number): Promise<void> {
    await this.session.query({
      name: 'follow-up-postpone',
      text: `UPDATE instant_follow_up SET attempts = attempts + 1, retry_at = now() + make_interval(secs => $2)
        WHERE payment_id = $1`,
      values: [paymentId, seconds],
    });
  }
}
