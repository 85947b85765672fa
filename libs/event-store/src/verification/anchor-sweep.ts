import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/background/sweep';
import type { Pool } from 'pg';
import { anchorLog } from './log-anchor.js';

const everyMs = 60_000;

/**
 * Once a minute, stores an anchor of the log and writes it to the service's own log. The second copy is outside
 * the database, and verification accepts it as `trusted`.
 */
export const anchorSweep = ({
  resource,
  pool,
  clock,
  logger,
}: {
  readonly resource: string;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
}): Sweep =>
  new Sweep({
    name: 'log anchors',
    everyMs,
    clock,
    logger,
    run: async () => {
      const anchor = await anchorLog(pool);
      if (anchor !== undefined)
        logger.info({ resource, pos: anchor.pos, hash: anchor.hash }, 'recorded an anchor of the log');
      return 0;
    },
  });
