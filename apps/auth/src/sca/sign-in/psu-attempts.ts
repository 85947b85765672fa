import { isScaLocked, noFailures, type ScaAttempts, scaFailed } from '@xs2a/domain/sca/sca-lockout';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { Language } from '../catalogue/catalogue.js';

interface AttemptsRow {
  readonly failures: number;
  readonly locked_until: Date | null;
}

/** The PSU who signs in or enters a code, and the browser if this PSU has completed SCA in it before. */
export interface ScaSubject {
  readonly psuId: string;
  /** The id of the known browser. */
  readonly browser?: string;
}
/** Failures in a row, locked for the transaction: of the PSU over all sessions, and of the known browser. */
export interface Counts {
  readonly psu: ScaAttempts;
  readonly browser?: ScaAttempts;
}

const knownPsu = 'UPDATE psu_sca SET is_known = true WHERE psu_id = $1 AND NOT is_known';
const hashOf = (browser: string): Buffer => createHash('sha256').update(browser).digest();

/** A known browser's own count decides there, so that failures of strangers do not lock the customer out (contract 12). */
export const isLocked = ({ psu, browser }: Counts, now: string): boolean => isScaLocked(browser ?? psu, now);

/**
 * How a PSU's passwords and codes fared, over all sessions (contract 12), and which language the PSU chose last. What fails
 * in a known browser counts twice, for that browser and for the PSU; what fails elsewhere, for the PSU.
 */
export class PsuAttempts {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /**
   * Records a password that was right or wrong; answers whether the PSU may go on. An unknown PSU is counted like any
   * other, so that nothing tells the two apart.
   */
  async password(who: ScaSubject, isRight: boolean): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const counts = await this.lock(client, who);
      if (isRight) await client.query(knownPsu, [who.psuId]);
      else await this.failed(client, who, counts);
      return isRight && !isLocked(counts, this.clock.now());
    });
  }

  /** The counts, locked for the transaction: attempts in several sessions wait for each other. */
  async lock(client: PoolClient, { psuId, browser }: ScaSubject): Promise<Counts> {
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
    if (browser === undefined) return { psu: attemptsOf(rows[0]) };
    const known = await client.query<AttemptsRow>({
      name: 'known-browser-find',
      text: 'SELECT failures, locked_until FROM known_browser WHERE id_hash = $1',
      values: [hashOf(browser)],
    });
    return { psu: attemptsOf(rows[0]), browser: attemptsOf(known.rows[0]) };
  }

  /** A wrong password or code. */
  async failed(client: PoolClient, who: ScaSubject, counts: Counts): Promise<void> {
    const now = this.clock.now();
    await this.write(client, who, {
      psu: scaFailed(counts.psu, now),
      ...(counts.browser === undefined ? {} : { browser: scaFailed(counts.browser, now) }),
    });
  }

  /** An SCA was completed: the counts begin anew. A lock of the PSU stays for everybody else until its time is over. */
  async completed(client: PoolClient, who: ScaSubject, { psu }: Counts): Promise<void> {
    const isKept = isScaLocked(psu, this.clock.now());
    await this.write(client, who, { psu: isKept ? psu : noFailures, browser: noFailures });
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

  private async write(client: PoolClient, { psuId, browser }: ScaSubject, counts: Counts): Promise<void> {
    const now = this.clock.now();
    await client.query({
      name: 'psu-sca-write',
      text: 'UPDATE psu_sca SET failures = $2, locked_until = $3, changed_at = $4 WHERE psu_id = $1',
      values: [psuId, counts.psu.failures, counts.psu.lockedUntil ?? null, now],
    });
    if (browser === undefined || counts.browser === undefined) return;
    await client.query({
      name: 'known-browser-write',
      text: `INSERT INTO known_browser (id_hash, failures, locked_until, changed_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (id_hash) DO UPDATE SET failures = excluded.failures, locked_until = excluded.locked_until,
               changed_at = excluded.changed_at`,
      values: [hashOf(browser), counts.browser.failures, counts.browser.lockedUntil ?? null, now],
    });
  }
}

const attemptsOf = (row: AttemptsRow | undefined): ScaAttempts =>
  row === undefined ? noFailures : { failures: row.failures, lockedUntil: row.locked_until?.toISOString() };
