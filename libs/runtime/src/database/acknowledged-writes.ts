import type { Logger } from '@xs2a/observability/logger';
import { describeLoss, readReplication } from '@xs2a/postgres/replication';
import type { Pool } from 'pg';
import { ConfigError } from '../config.js';
import { whenThere } from '@xs2a/postgres/when-there';

/**
 * Outside the sandbox, a service may write only if acknowledged writes survive the loss of the database server.
 * Waits for a server that is down. Throws {@link ConfigError} if writes would not survive; with `accepted`, only
 * logs a warning.
 */
export const mustKeepWrites = async (
  pool: Pool,
  { accepted, logger }: { readonly accepted: boolean; readonly logger: Logger },
): Promise<void> => {
  const loss = describeLoss(await whenThere(async () => readReplication(pool), logger));
  if (loss === undefined) return;
  if (!accepted)
    throw new ConfigError([
      `${loss}, so a failover loses payments that were acknowledged. Set up a synchronous standby (docs/how-to/fail-over.md), or accept that with ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES=yes`,
    ]);
  logger.warn(
    { loss },
    'ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES=yes: a failover of the database may lose what was acknowledged',
  );
};
