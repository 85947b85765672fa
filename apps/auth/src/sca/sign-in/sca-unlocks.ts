import { Inject, Injectable } from '@nestjs/common';
import type { LiftedLock, PsuSca } from '@xs2a/contracts/auth.contract';
import { isScaLocked } from '@xs2a/domain/sca/sca-lockout';
import type { Logger } from '@xs2a/observability/logger';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { ScaFailures } from './sca-failures.js';

/** The number of lifted locks that are shown for a PSU. */
const maxListed = 20;

interface UnlockRow {
  readonly at: Date;
  readonly operator: string;
  readonly reason: string;
  readonly locked_until: Date;
}

/**
 * Lifts SCA locks for the bank's operator (contract 12). Each lifted lock is a row of `sca_unlock`, which is stored
 * in the transaction that lifts the lock.
 */
@Injectable()
export class ScaUnlocks {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly failures: ScaFailures,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Lifts the lock of a PSU. Returns undefined if SCA is not locked for the PSU. A sign-in that fails at the same
   * time waits, and then counts as the first failure.
   */
  async lift(
    psuId: string,
    { operator, reason }: Pick<LiftedLock, 'operator' | 'reason'>,
  ): Promise<LiftedLock | undefined> {
    // Locking the count of an unknown name would store one.
    if ((await this.failures.read(psuId)) === undefined) return undefined;
    const unlockId = newId();
    const lifted = await inTransaction(this.pool, async (client) => {
      const counts = await this.failures.lock(client, { psuId });
      const at = this.clock.now();
      const { lockedUntil } = counts.psu;
      if (lockedUntil === undefined || !isScaLocked(counts.psu, at)) return undefined;
      await this.failures.unlock(client, counts, at);
      await client.query(
        `INSERT INTO sca_unlock (unlock_id, psu_id, at, operator, reason, locked_until)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [unlockId, psuId, at, operator, reason, lockedUntil],
      );
      return { at, operator, reason, lockedUntil };
    });
    if (lifted !== undefined) this.logger.info({ unlockId }, 'an operator lifted an SCA lock');
    return lifted;
  }

  /** Returns the PSU's failures and lock, or undefined if nobody has signed in, or tried to, with this PSU-ID. */
  async read(psuId: string): Promise<PsuSca | undefined> {
    const count = await this.failures.read(psuId);
    if (count === undefined) return undefined;
    const { failures, lockedUntil } = count;
    const isLocked = isScaLocked(count, this.clock.now());
    return {
      // After a lock the count starts anew.
      failures: lockedUntil === undefined || isLocked ? failures : 0,
      lockedUntil: isLocked ? lockedUntil : undefined,
      failedAt: await this.failures.times(psuId),
      lifted: await this.listLifted(psuId),
    };
  }

  private async listLifted(psuId: string): Promise<LiftedLock[]> {
    const { rows } = await this.pool.query<UnlockRow>(
      `SELECT at, operator, reason, locked_until FROM sca_unlock WHERE psu_id = $1 ORDER BY at DESC LIMIT ${maxListed}`,
      [psuId],
    );
    return rows.map(({ at, locked_until: lockedUntil, ...row }) => ({
      ...row,
      at: at.toISOString(),
      lockedUntil: lockedUntil.toISOString(),
    }));
  }
}
