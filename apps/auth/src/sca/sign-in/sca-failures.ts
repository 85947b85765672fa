import { isScaLocked, noFailures, type ScaFailureCount, scaFailed } from '@xs2a/domain/sca/sca-lockout';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { Language } from '../catalogue/catalogue.js';

interface CountRow {
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
export interface ScaFailureCounts {
  readonly psu: ScaFailureCount;
  readonly browser?: ScaFailureCount;
}

const knownPsu = 'UPDATE psu_sca SET is_known = true WHERE psu_id = $1 AND NOT is_known';
const hashBrowser = (browser: string): Buffer => createHash('sha256').update(browser).digest();

/** A known browser's own count decides there, so that failures of strangers do not lock the customer out (contract 12). */
export const isLocked = ({ psu, browser }: ScaFailureCounts, now: string): boolean =>
  isScaLocked(browser ?? psu, now);

/**
 * Counts a PSU's wrong passwords and codes over all sessions (contract 12), and keeps the language that the PSU chose last. A
 * failure in a known browser counts for that browser and for the PSU; one elsewhere, for the PSU only.
 */
export class ScaFailures {
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

  /** Reads and locks the counts for the transaction, so that failures in several sessions are counted one by one. */
  async lock(client: PoolClient, { psuId, browser }: ScaSubject): Promise<ScaFailureCounts> {
    await client.query({
      name: 'psu-sca-ensure',
      text: 'INSERT INTO psu_sca (psu_id, changed_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [psuId, this.clock.now()],
    });
    const { rows } = await client.query<CountRow>({
      name: 'psu-sca-lock',
      text: 'SELECT failures, locked_until FROM psu_sca WHERE psu_id = $1 FOR UPDATE',
      values: [psuId],
    });
    if (browser === undefined) return { psu: toCount(rows[0]) };
    const known = await client.query<CountRow>({
      name: 'known-browser-find',
      text: 'SELECT failures, locked_until FROM known_browser WHERE id_hash = $1',
      values: [hashBrowser(browser)],
    });
    return { psu: toCount(rows[0]), browser: toCount(known.rows[0]) };
  }

  /** A wrong password or code. */
  async failed(client: PoolClient, who: ScaSubject, counts: ScaFailureCounts): Promise<void> {
    const now = this.clock.now();
    await this.write(client, who, {
      psu: scaFailed(counts.psu, now),
      ...(counts.browser === undefined ? {} : { browser: scaFailed(counts.browser, now) }),
    });
  }

  /** An SCA was completed: the counts begin anew. A lock of the PSU stays for everybody else until its time is over. */
  async completed(client: PoolClient, who: ScaSubject, { psu }: ScaFailureCounts): Promise<void> {
    const isKept = isScaLocked(psu, this.clock.now());
    await this.write(client, who, { psu: isKept ? psu : noFailures, browser: noFailures });
  }

  async readLanguage(psuId: string): Promise<Language | undefined> {
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

  private async write(
    client: PoolClient,
    { psuId, browser }: ScaSubject,
    counts: ScaFailureCounts,
  ): Promise<void> {
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
      values: [hashBrowser(browser), counts.browser.failures, counts.browser.lockedUntil ?? null, now],
    });
  }
}

const toCount = (row: CountRow | undefined): ScaFailureCount =>
  row === undefined ? noFailures : { failures: row.failures, lockedUntil: row.locked_until?.toISOString() };
