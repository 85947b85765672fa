import { binaryArray } from '@xs2a/postgres/binary-array';
import type { Session } from '@xs2a/postgres/leader-lock';

/** A payment whose settlement was begun or failed, and was not brought to its end. */
export interface Unfinished {
  readonly paymentId: string;
  /** Number of tries that failed. */
  readonly attempts: number;
  /** It failed, and its next try has not come yet. */
  readonly postponed: boolean;
}

/**
 * The payments under way, written before a hold is asked for: whoever is active next finds the holds that a crash left
 * behind. Through the session of the active worker's lock, nobody without the lock begins anything.
 */
export class UnfinishedTable {
  constructor(private readonly session: Session) {}

  async read(): Promise<Unfinished[]> {
    const { rows } = await this.session.query<Unfinished>({
      name: 'unfinished',
      text: `SELECT payment_id AS "paymentId", attempts, coalesce(retry_at > now(), false) AS postponed
        FROM unfinished ORDER BY payment_id`,
    });
    return rows;
  }

  async begin(paymentIds: readonly string[]): Promise<void> {
    await this.session.query({
      name: 'unfinished-begin',
      text: 'INSERT INTO unfinished (payment_id) SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING',
      values: [binaryArray('uuid', paymentIds)],
    });
  }

  async finish(paymentIds: readonly string[]): Promise<void> {
    await this.session.query({
      name: 'unfinished-finish',
      text: 'DELETE FROM unfinished WHERE payment_id = ANY($1::uuid[])',
      values: [binaryArray('uuid', paymentIds)],
    });
  }

  /** Not to be tried again for some real seconds; `reason` is for an operator. */
  async postpone(paymentId: string, seconds: number, reason: string): Promise<void> {
    await this.session.query({
      name: 'unfinished-postpone',
      text: `INSERT INTO unfinished AS u (payment_id, attempts, retry_at, last_failure)
        VALUES ($1, 1, now() + make_interval(secs => $2), $3)
        ON CONFLICT (payment_id) DO UPDATE SET attempts = u.attempts + 1,
          retry_at = excluded.retry_at, last_failure = excluded.last_failure`,
      values: [paymentId, seconds, reason],
    });
  }
}
