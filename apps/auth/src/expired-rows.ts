import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/sweep';
import type { Pool } from 'pg';
import type { GrantRevocations } from './oauth/grant-revocations.js';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Removes what has expired. Artefacts stay a day longer, so that a late refresh token is told it expired; a PSU's count of
 * failures is forgotten after 30 quiet days.
 */
export const sweepExpired = (parts: {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly revocations: Pick<GrantRevocations, 'sweep'>;
}): Sweep => {
  const { pool, clock, logger, revocations } = parts;
  const run = async (): Promise<number> => {
    const now = clock.nowMs();
    const yesterday = new Date(now - dayMs);
    await pool.query('DELETE FROM artefact WHERE expires_at < $1', [yesterday]);
    await pool.query('DELETE FROM grant_binding WHERE expires_at < $1', [yesterday]);
    await pool.query('DELETE FROM page_session WHERE expires_at < $1', [new Date(now)]);
    await pool.query('DELETE FROM challenge WHERE expires_at < $1', [yesterday]);
    await pool.query('DELETE FROM psu_sca WHERE language IS NULL AND changed_at < $1', [
      new Date(now - 30 * dayMs),
    ]);
    await revocations.sweep();
    return 0;
  };
  return new Sweep({ name: 'expired-rows', everyMs: 60_000, clock, logger, run });
};
