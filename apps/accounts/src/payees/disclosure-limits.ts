import type { HashKeys } from '@xs2a/postgres/hash-keys';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Clock } from '@xs2a/runtime/clock';
import type { ClientBase, Pool } from 'pg';

/** How often names of holders may be disclosed in 24 hours (contract 15). */
const perAccount = 5;
const perPsu = 20;
/** How many questions another bank may ask in a minute. */
const perAgent = 600;
const minuteSeconds = 60;

/** Thrown to roll back what was counted. */
class LimitReached extends Error {}

/**
 * Limits that keep the holders' names from being collected. They hold over all instances. Accounts and PSUs are stored
 * as HMACs.
 */
export class DisclosureLimits {
  constructor(
    private readonly pool: Pool,
    private readonly hashKeys: HashKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts a disclosure of the holder of an account, and of a holder to a PSU if one is given. Returns false, and
   * counts nothing, if a limit is reached.
   */
  async mayDisclose({ iban, psuId }: { readonly iban: string; readonly psuId?: string }): Promise<boolean> {
    const limits = [
      ...this.subjects('account', iban).map((subject) => ({ subject, limit: perAccount })),
      ...(psuId === undefined
        ? []
        : this.subjects('psu', psuId).map((subject) => ({ subject, limit: perPsu }))),
    ];
    return inTransaction(this.pool, async (client) => {
      for (const { subject, limit } of limits)
        if (!(await this.count(client, subject, limit))) throw new LimitReached();
      return true;
    })
      .catch((error: unknown) => {
        if (error instanceof LimitReached) return false;
        throw error;
      })
      .finally(() => this.forget());
  }

  /**
   * Counts a question of another bank. Returns the seconds after which it may ask again if it has asked too often in
   * the last minute; such a question is not counted.
   */
  async countQuestion(agent: string): Promise<number | undefined> {
    const now = this.clock.now();
    await this.forgetQuestions(now);
    const { rowCount } = await this.pool.query(
      `INSERT INTO payee_question AS q (agent, at) VALUES ($1, ARRAY[$2::timestamptz])
       ON CONFLICT (agent) DO UPDATE SET
         at = ARRAY(SELECT t FROM unnest(q.at) AS t WHERE t > $2::timestamptz - interval '1 minute') || $2::timestamptz
       WHERE (SELECT count(*) FROM unnest(q.at) AS t WHERE t > $2::timestamptz - interval '1 minute') < $3`,
      [agent, now, perAgent],
    );
    if (rowCount === 1) return undefined;
    const { rows } = await this.pool.query<{ oldest: Date | null }>(
      `SELECT min(t) AS oldest FROM payee_question, unnest(at) AS t
       WHERE agent = $1 AND t > $2::timestamptz - interval '1 minute'`,
      [agent, now],
    );
    const oldestMs = rows[0]?.oldest?.getTime() ?? 0;
    const passed = (Date.parse(now) - oldestMs) / 1000;
    return Math.min(minuteSeconds, Math.max(1, Math.ceil(minuteSeconds - passed)));
  }

  /** Deletes the banks that asked nothing in the last minute. */
  private async forgetQuestions(now: string): Promise<void> {
    await this.pool.query(
      `DELETE FROM payee_question WHERE ctid = ANY (ARRAY(SELECT ctid FROM payee_question
         WHERE at[cardinality(at)] <= $1::timestamptz - interval '1 minute' LIMIT 100 FOR UPDATE SKIP LOCKED))`,
      [now],
    );
  }

  /** Deletes disclosures that no limit needs. Skips rows in use, so that no deletion waits for another transaction. */
  private async forget(): Promise<void> {
    await this.pool.query(
      `DELETE FROM payee_disclosure WHERE ctid = ANY (ARRAY(SELECT ctid FROM payee_disclosure
         WHERE at[cardinality(at)] <= $1::timestamptz - interval '24 hours' LIMIT 100 FOR UPDATE SKIP LOCKED))`,
      [this.clock.now()],
    );
  }

  /** One for each key, so that a rotation of the keys does not start the limits again. */
  private subjects(kind: string, id: string): readonly Buffer[] {
    return this.hashKeys.all.map((key) => key.hmac('payee-disclosure', kind, id));
  }

  private async count(client: ClientBase, subject: Buffer, limit: number): Promise<boolean> {
    const { rowCount } = await client.query(
      `INSERT INTO payee_disclosure AS d (subject, at) VALUES ($1, ARRAY[$2::timestamptz])
       ON CONFLICT (subject) DO UPDATE SET
         at = ARRAY(SELECT t FROM unnest(d.at) AS t WHERE t > $2::timestamptz - interval '24 hours') || $2::timestamptz
       WHERE (SELECT count(*) FROM unnest(d.at) AS t WHERE t > $2::timestamptz - interval '24 hours') < $3`,
      [subject, this.clock.now(), limit],
    );
    return rowCount === 1;
  }
}
