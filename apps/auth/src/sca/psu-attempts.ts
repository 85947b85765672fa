import { isScaLocked, noFailures, type ScaAttempts, scaFailed } from '@xs2a/domain/sca/sca-lockout';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import type { Pool, PoolClient } from 'pg';
import type { Language } from './catalogue/catalogue.js';

interface AttemptsRow {
  readonly failures: number;
  readonly locked_until: Date | null;
}

const knownPsu = 'UPDATE psu_sca SET is_known = true WHERE psu_id = $1 AND NOT is_known';

/** How a PSU's passwords and codes fared, over all sessions (contract 12), and which language the PSU chose last. */
export class PsuAttempts {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /**
   * Records a password that was right or wrong; answers whether the PSU may go on. An unknown PSU is counted like any
   * other, so that nothing tells the two apart.
   */
  async password(psuId: string, isRight: boolean): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const attempts = await this.lock(client, psuId);
      const mayGoOn = isRight && !isScaLocked(attempts, this.clock.now());
      if (isRight) await client.query(knownPsu, [psuId]);
      else await this.write(client, psuId, scaFailed(attempts, this.clock.now()));
      return mayGoOn;
    });
  }

  /** The PSU's counter, locked for the transaction: attempts in several sessions wait for each other. */
  async lock(client: PoolClient, psuId: string): Promise<ScaAttempts> {
    await client.query({
      name: 'psu-sca-ensure',
      text: 'INSERT INTO psu_sca (psu_id, changed_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [psuId, this.clock.now()],
    });
    const { rows } = await client.query<AttemptsRow>({
      name: 'psu-sca-lock',
      text: 'SELECT failures, locked_until FROM psu_sca WHERE psu_id = $1 FOR UPDATE',
      values: [psuId],
    });
    const [row] = rows;
    if (row === undefined) return noFailures;
    return { failures: row.failures, lockedUntil: row.locked_until?.toISOString() };
  }

  async write(client: PoolClient, psuId: string, attempts: ScaAttempts): Promise<void> {
    await client.query({
      name: 'psu-sca-write',
      text: 'UPDATE psu_sca SET failures = $2, locked_until = $3, changed_at = $4 WHERE psu_id = $1',
      values: [psuId, attempts.failures, attempts.lockedUntil ?? null, this.clock.now()],
    });
  }

  async languageOf(psuId: string): Promise<Language | undefined> {
    const { rows } = await this.pool.query<{ language: Language | null }>({
      name: 'psu-language',
      text: 'SELECT language FROM psu_sca WHERE psu_id = $1',
      values: [psuId],
    });
    return rows[0]?.language ?? undefined;
  }

  async chooseLanguage(psuId: string, language: Language): Promise<void> {
    await this.pool.query({
      name: 'psu-language-choose',
      text: `INSERT INTO psu_sca (psu_id, language, changed_at, is_known) VALUES ($1, $2, $3, true)
             ON CONFLICT (psu_id) DO UPDATE SET language = excluded.language`,
      values: [psuId, language, this.clock.now()],
    });
  }
}
