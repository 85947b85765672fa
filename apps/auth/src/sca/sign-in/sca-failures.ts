import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, POOL } from '@xs2a/runtime/tokens';
import type { AuthConfig } from '../../config.js';
import { isScaLocked, noFailures, type ScaFailureCount, scaFailed } from '@xs2a/domain/sca/sca-lockout';
import type { RecentName } from '@xs2a/contracts/pulse.contract';
import { counter } from '@xs2a/observability/metrics';
import { recentCount } from '@xs2a/observability/recent-counts';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { Language, Notice } from '../catalogue/catalogue.js';

interface CountRow {
  readonly psu_id: string;
  readonly failures: number;
  readonly locked_until: Date | null;
  readonly unlocked_at: Date | null;
}

/** The PSU who signs in or enters a code, and the browser, if this PSU has completed SCA in it before. */
export interface ScaSubject {
  readonly psuId: string;
  /** The id of the browser, if it is a known one. */
  readonly browser?: string;
  /** True if this session's sign-in reported that the bank lifted a lock ({@link ScaFailures.greeting}). */
  readonly knowsOfUnlock?: boolean;
}
/** What a new session copies from earlier sessions of the PSU at sign-in. */
export interface Greeting {
  /** The language that the PSU chose last. */
  readonly language?: Language;
  /** `unlocked` after the bank lifted a lock, until the PSU has completed an SCA. */
  readonly notice?: Notice;
}
/**
 * The numbers of consecutive failures: those of the PSU across all sessions, and those in the known browser. Both
 * counts are locked for the transaction.
 */
export interface ScaFailureCounts {
  /** The key of the PSU's row in the table. */
  readonly row: string;
  readonly psu: ScaFailureCount;
  readonly browser?: ScaFailureCount;
}

/** A stored failure. */
export interface StoredFailure {
  /** What it has locked: the PSU, and the browser if it is a known one. */
  readonly locked: readonly ('psu' | 'browser')[];
  /** The customer whom it has locked, and until when (ISO instant); undefined for an unknown name. */
  readonly customer?: { readonly psuId: string; readonly until: string };
}
type LockListener = (psuId: string, until: string) => void;

const failures = counter('xs2a_sca_failures_total', 'Wrong passwords and codes', ['factor']);
const locks = counter('xs2a_sca_locks_total', 'Locks of SCA after five failures in a row', ['of']);

const recentLocks = recentCount('sca-locks' satisfies RecentName);

const maxTries = 5;
/** The number of failures whose times are kept for a PSU. */
const keptTimes = 10;
const countColumns = 'psu_id, failures, locked_until, unlocked_at';
/** `$1`: the name; `$2`: its HMAC, under which it is stored until somebody signs in with it. */
const rowsOfName = 'WHERE psu_id = $1 AND is_known OR psu_id = $2 ORDER BY is_known DESC';

const hashBrowser = (browser: string): Buffer => createHash('sha256').update(browser).digest();

/** Selects the count of a browser. A lock that the bank lifted is lifted in the PSU's browsers too. */
const knownBrowser = (browser: string, unlockedAt: Date | null) => ({
  name: 'known-browser-find',
  text: `SELECT failures, locked_until FROM known_browser
         WHERE id_hash = $1 AND changed_at > coalesce($2::timestamptz, '-infinity')`,
  values: [hashBrowser(browser), unlockedAt],
});

/**
 * In a known browser, only the count of that browser decides, so that failures of strangers do not lock the
 * customer out (contract 12).
 */
export const isLocked = ({ psu, browser }: ScaFailureCounts, now: string): boolean =>
  isScaLocked(browser ?? psu, now);

/**
 * Counts a PSU's wrong passwords and codes across all sessions (contract 12), and stores the language that the PSU
 * chose last. A failure in a known browser counts for both that browser and the PSU; a failure elsewhere counts
 * only for the PSU.
 *
 * A name that nobody has signed in with yet may be anything that was typed into the field: a password, an account
 * number, another person's name. Until somebody signs in with it, its row contains an HMAC instead of the name.
 */
@Injectable()
export class ScaFailures {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<AuthConfig, 'HASH_KEYS'>,
  ) {}

  private listener: LockListener = () => undefined;

  /**
   * Records a right or wrong password, and returns whether the PSU may continue. Unknown PSUs are counted in the
   * same way, so that they cannot be distinguished from customers. While locked, a right password runs the same
   * statements as a wrong one, so that the lock does not help to guess it.
   */
  async password(who: ScaSubject, isRight: boolean): Promise<boolean> {
    const { mayContinue, failure } = await inTransaction(this.pool, async (client) => {
      const counts = await this.lock(client, who);
      if (!isRight) return { mayContinue: false, failure: await this.failed(client, who, counts) };
      if (isLocked(counts, this.clock.now())) {
        await this.write(client, who, counts);
        return { mayContinue: false };
      }
      await becomeKnown(client, counts.row, who.psuId);
      return { mayContinue: true };
    });
    if (failure !== undefined) this.report('password', failure);
    return mayContinue;
  }

  /** Has the listener called after each failure that locks a customer. */
  onLocked(listener: LockListener): void {
    this.listener = listener;
  }

  /**
   * Counts a failure in the metrics and reports a lock, once the failure is stored. The listener is called later, so
   * that the response to a customer and to an unknown name takes the same time.
   */
  report(factor: 'password' | 'code', { locked, customer }: StoredFailure): void {
    failures.inc({ factor });
    for (const of of locked) locks.inc({ of });
    if (locked.includes('psu')) recentLocks.inc();
    if (locked.includes('psu'))
      setImmediate(() => {
        if (customer !== undefined) this.listener(customer.psuId, customer.until);
      });
  }

  /**
   * Reads the counts and locks them for the transaction, so that failures in several sessions are counted one by
   * one.
   */
  async lock(client: PoolClient, { psuId, browser }: ScaSubject): Promise<ScaFailureCounts> {
    const row = await this.lockRow(client, psuId);
    const psu = { row: row.psu_id, psu: toCount(row) };
    if (browser === undefined) return psu;
    const known = await client.query<CountRow>(knownBrowser(browser, row.unlocked_at));
    return { ...psu, browser: toCount(known.rows[0]) };
  }

  /**
   * Runs the same statements for a customer and for an unknown name, so that the two cannot be distinguished by
   * timing.
   */
  private async lockRow(client: PoolClient, psuId: string): Promise<CountRow> {
    const unknown = this.hashName(psuId);
    for (let tries = 1; tries <= maxTries; tries += 1) {
      await client.query({
        name: 'psu-sca-ensure',
        text: `INSERT INTO psu_sca (psu_id, changed_at)
               SELECT $2, $3 WHERE NOT EXISTS (SELECT FROM psu_sca WHERE psu_id = $1 AND is_known) ON CONFLICT DO NOTHING`,
        values: [psuId, unknown, this.clock.now()],
      });
      const { rows } = await client.query<CountRow>({
        name: 'psu-sca-lock',
        text: `SELECT ${countColumns} FROM psu_sca ${rowsOfName} FOR UPDATE`,
        values: [psuId, unknown],
      });
      if (rows[0] !== undefined) return rows[0];
      // While this call waited for the lock, somebody signed in with this name, or its row expired.
    }
    throw new Error('locking the failure count failed');
  }

  /** Returns the PSU's count, or undefined if nobody has signed in, or tried to, with this name. */
  async read(psuId: string): Promise<ScaFailureCount | undefined> {
    const { rows } = await this.pool.query<CountRow>({
      name: 'psu-sca-read',
      text: `SELECT ${countColumns} FROM psu_sca ${rowsOfName}`,
      values: [psuId, this.hashName(psuId)],
    });
    return rows[0] && toCount(rows[0]);
  }

  /** Returns when the PSU's latest failures were (ISO instants), newest first. */
  async times(psuId: string): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ failed_at: readonly Date[] }>(
      `SELECT failed_at FROM psu_sca ${rowsOfName}`,
      [psuId, this.hashName(psuId)],
    );
    return rows[0]?.failed_at.map((at) => at.toISOString()) ?? [];
  }

  /** Returns the count that decides for this PSU in this browser, without locking it. */
  async readDeciding({ psuId, browser }: ScaSubject): Promise<ScaFailureCount> {
    const { rows } = await this.pool.query<CountRow>({
      name: 'psu-sca-read',
      text: `SELECT ${countColumns} FROM psu_sca ${rowsOfName}`,
      values: [psuId, this.hashName(psuId)],
    });
    if (browser === undefined) return toCount(rows[0]);
    const known = await this.pool.query<CountRow>(knownBrowser(browser, rows[0]?.unlocked_at ?? null));
    return toCount(known.rows[0]);
  }

  /** Starts the counts of the PSU and of the PSU's browsers anew, and reports this to the PSU ({@link greeting}). */
  async unlock(client: PoolClient, { row }: ScaFailureCounts, now: string): Promise<void> {
    await client.query({
      name: 'psu-sca-unlock',
      text: `UPDATE psu_sca SET failures = 0, locked_until = NULL, changed_at = $2, unlocked_at = $2, reports_unlock = true
             WHERE psu_id = $1`,
      values: [row, now],
    });
  }

  private hashName(psuId: string): string {
    const { name, hmac } = this.config.HASH_KEYS.current;
    return `${name}:${hmac('psu', psuId).toString('base64url')}`;
  }

  /** Counts a wrong password or code, which is to be {@link report}ed after the transaction. */
  async failed(client: PoolClient, who: ScaSubject, counts: ScaFailureCounts): Promise<StoredFailure> {
    const now = this.clock.now();
    const after = {
      row: counts.row,
      psu: scaFailed(counts.psu, now),
      browser: counts.browser === undefined ? undefined : scaFailed(counts.browser, now),
    };
    await this.write(client, who, after, true);
    const locked = (['psu', 'browser'] as const).filter(
      (one) => isLockedCount(after[one], now) && !isLockedCount(counts[one], now),
    );
    const until = locked.includes('psu') && counts.row === who.psuId ? after.psu.lockedUntil : undefined;
    return { locked, customer: until === undefined ? undefined : { psuId: who.psuId, until } };
  }

  /**
   * Resets the counts after a completed SCA. If the PSU is locked, the lock stays in place for all other browsers
   * until it expires.
   */
  async completed(client: PoolClient, who: ScaSubject, { row, psu }: ScaFailureCounts): Promise<void> {
    const isKept = isScaLocked(psu, this.clock.now());
    await this.write(client, who, { row, psu: isKept ? psu : noFailures, browser: noFailures });
    if (who.knowsOfUnlock !== true) return;
    await client.query({
      name: 'psu-unlock-reported',
      text: 'UPDATE psu_sca SET reports_unlock = false WHERE psu_id = $1',
      values: [row],
    });
  }

  async greeting(psuId: string): Promise<Greeting> {
    const { rows } = await this.pool.query<{ language: Language | null; reports_unlock: boolean }>({
      name: 'psu-greeting',
      text: 'SELECT language, reports_unlock FROM psu_sca WHERE psu_id = $1',
      values: [psuId],
    });
    const [row] = rows;
    return {
      language: row?.language ?? undefined,
      notice: row?.reports_unlock === true ? 'unlocked' : undefined,
    };
  }

  async chooseLanguage(psuId: string, language: Language): Promise<void> {
    await this.pool.query({
      name: 'psu-language-choose',
      text: `INSERT INTO psu_sca (psu_id, language, changed_at, is_known) VALUES ($1, $2, $3, true)
             ON CONFLICT (psu_id) DO UPDATE SET language = excluded.language, is_known = true`,
      values: [psuId, language, this.clock.now()],
    });
  }

  private async write(
    client: PoolClient,
    { browser }: ScaSubject,
    counts: ScaFailureCounts,
    hasFailed = false,
  ): Promise<void> {
    const now = this.clock.now();
    await client.query({
      name: 'psu-sca-write',
      text: `UPDATE psu_sca SET failures = $2, locked_until = $3, changed_at = $4,
               failed_at = CASE WHEN $5 THEN (array_prepend($4::timestamptz, failed_at))[1:${keptTimes}] ELSE failed_at END
             WHERE psu_id = $1`,
      values: [counts.row, counts.psu.failures, counts.psu.lockedUntil ?? null, now, hasFailed],
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

const isLockedCount = (count: ScaFailureCount | undefined, now: string): boolean =>
  count !== undefined && isScaLocked(count, now);

/** Replaces a row's HMAC with the name itself and keeps the count, because the name now belongs to a customer. */
const becomeKnown = async (client: PoolClient, row: string, psuId: string): Promise<void> => {
  if (row === psuId) return;
  await client.query({
    name: 'psu-sca-become-known',
    text: `INSERT INTO psu_sca (psu_id, failures, locked_until, changed_at, is_known, unlocked_at, reports_unlock, failed_at)
           SELECT $2, failures, locked_until, changed_at, true, unlocked_at, reports_unlock, failed_at FROM psu_sca WHERE psu_id = $1
           ON CONFLICT (psu_id) DO UPDATE
             SET failures = excluded.failures, locked_until = excluded.locked_until, is_known = true,
               unlocked_at = excluded.unlocked_at, reports_unlock = excluded.reports_unlock, failed_at = excluded.failed_at`,
    values: [row, psuId],
  });
  await client.query({
    name: 'psu-sca-was-unknown',
    text: 'DELETE FROM psu_sca WHERE psu_id = $1',
    values: [row],
  });
};

const toCount = (row: Pick<CountRow, 'failures' | 'locked_until'> | undefined): ScaFailureCount =>
  row === undefined ? noFailures : { failures: row.failures, lockedUntil: row.locked_until?.toISOString() };
