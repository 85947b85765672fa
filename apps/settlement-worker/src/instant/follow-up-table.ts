import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import { binaryArray } from '@xs2a/postgres/binary-array';
import type { Session } from '@xs2a/postgres/session-lock';

/** An instant payment whose hold, or whose answer, is uncertain. */
export interface FollowUp extends TransactionRef {
  /** The number of failed attempts. */
  readonly failures: number;
  /** True if the order may have been sent without an answer; false if only its hold has to be voided. */
  readonly sent: boolean;
  /** True if a hold that was requested may still be placed, so that a void now may come before it. */
  readonly holdPossible: boolean;
}

/** Milliseconds that the bank has at most to place a hold. */
export const holdWithinMs = 5000;
/** Real seconds from the request for a hold in which a request that waited somewhere may still place it. */
const holdPossibleSeconds = holdWithinMs / 1000 + 30;

/** A payment whose hold is about to be requested. */
export interface BeginningHold extends TransactionRef {
  /** Real time until which the answer is awaited, unless the payment was taken up before. @format date-time */
  readonly answerBy: string;
}

interface Row extends Omit<FollowUp, 'partOf'> {
  readonly partOfPayment: string | null;
  readonly partNumber: number | null;
}

/**
 * Instant payments whose hold was requested and is not recorded, or that were rejected although the bank did not say
 * whether the payee was paid or did not void the hold. A row is written before the hold is requested and before the
 * rejection. It stays for the operators if the payee turns out to be paid. Writes use the session that holds the
 * active worker's lock.
 */
export class FollowUpTable {
  constructor(private readonly session: Session) {}

  /**
   * Holds are about to be requested, and may be placed within {@link holdPossibleSeconds}. Returns the deadline (ISO) of
   * each payment: the one with which it was taken up first, otherwise `answerBy`.
   */
  async beginHolds(holds: readonly BeginningHold[]): Promise<readonly string[]> {
    const { rows } = await this.session.query<{ paymentId: string; answerBy: Date }>({
      name: 'follow-up-begin-holds',
      text: `INSERT INTO instant_follow_up AS f
          (payment_id, part_of_payment, part_number, answer_by, sent, hold_until, retry_at)
        SELECT h.*, false, t.until, t.until
        FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[]) AS h,
          (SELECT now() + make_interval(secs => $5)) AS t (until)
        ON CONFLICT (payment_id) DO UPDATE SET hold_until = greatest(f.hold_until, excluded.hold_until),
          answer_by = coalesce(f.answer_by, excluded.answer_by)
        RETURNING payment_id AS "paymentId", answer_by AS "answerBy"`,
      values: [
        binaryArray(
          'uuid',
          holds.map(({ paymentId }) => paymentId),
        ),
        binaryArray(
          'uuid',
          holds.map(({ partOf }) => partOf?.paymentId),
        ),
        holds.map(({ partOf }) => partOf?.number),
        holds.map(({ answerBy }) => answerBy),
        holdPossibleSeconds,
      ],
    });
    const kept = new Map(rows.map(({ paymentId, answerBy }) => [paymentId, answerBy.toISOString()]));
    return holds.map(({ paymentId, answerBy }) => kept.get(paymentId) ?? answerBy);
  }

  /** The payment is rejected. `sent`: the order may have been sent, and there is no answer. */
  async add({ paymentId, partOf }: TransactionRef, { sent }: Pick<FollowUp, 'sent'>): Promise<void> {
    await this.session.query({
      name: 'follow-up-add',
      text: `INSERT INTO instant_follow_up AS f (payment_id, part_of_payment, part_number, sent)
        VALUES ($1, $2, $3, $4) ON CONFLICT (payment_id) DO UPDATE
        SET sent = f.sent OR excluded.sent, retry_at = least(f.retry_at, excluded.retry_at)`,
      values: [paymentId, partOf?.paymentId, partOf?.number, sent],
    });
  }

  /** Reads those whose next attempt is due, oldest first. */
  async readDue(limit: number): Promise<FollowUp[]> {
    const { rows } = await this.session.query<Row>({
      name: 'follow-ups-due',
      text: `SELECT payment_id AS "paymentId", part_of_payment AS "partOfPayment", part_number AS "partNumber",
          attempts AS failures, sent, coalesce(hold_until > now(), false) AS "holdPossible" FROM instant_follow_up
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
  async finish(paymentIds: readonly string[]): Promise<void> {
    await this.session.query({
      name: 'follow-up-finish',
      text: 'DELETE FROM instant_follow_up WHERE payment_id = ANY($1::uuid[])',
      values: [binaryArray('uuid', paymentIds)],
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

  /** Makes the next attempt due when the hold can no longer be placed. */
  async awaitHold(paymentId: string): Promise<void> {
    await this.session.query({
      name: 'follow-up-await-hold',
      text: 'UPDATE instant_follow_up SET retry_at = hold_until WHERE payment_id = $1',
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
