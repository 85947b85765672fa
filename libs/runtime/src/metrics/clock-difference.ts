import { gauge } from '@xs2a/observability/metrics';
import type { Pool } from 'pg';
import type { Clock } from '../clock.js';

/** `with`: `postgres`, or in the console the name of a service. */
export const clockDifference = gauge(
  'xs2a_clock_difference_seconds',
  'How far the clock of PostgreSQL or of a service is ahead of this process; negative if it is behind',
  ['with'],
);

/** A reply that took longer than this many milliseconds says too little about the server's clock. */
const maxTookMs = 200;

/** The readiness check of PostgreSQL, which also compares the server's clock with this host's. */
export const askDatabase = async (pool: Pool, clock: Pick<Clock, 'realMs'>): Promise<void> => {
  const askedAt = performance.now();
  const nowMs = await readClock(pool).catch((error: unknown) => {
    forget();
    throw error;
  });
  const tookMs = performance.now() - askedAt;
  if (tookMs > maxTookMs) return forget();
  clockDifference.set({ with: 'postgres' }, (nowMs + tookMs / 2 - clock.realMs) / 1000);
};

/** An old difference says nothing while the database does not answer in time. */
const forget = (): void => clockDifference.remove({ with: 'postgres' });

const readClock = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ now_ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms',
  );
  return Number(rows[0]?.now_ms);
};
