import type { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { ConfigError } from '@xs2a/runtime/config';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import type { Pool } from 'pg';
import { findMissingKeys, sampleKeys } from './sample-keys.js';

/**
 * Compares a service's master keys with those that wrap its stream keys, once, before it accepts calls. Throws
 * {@link ConfigError} if they unwrap none: the service would be unable to read what was stored, and would wrap new
 * keys with a wrong one. If only some are missing, the service starts and names them in its log and under
 * `degraded`.
 */
export const checkMasterKeys = async ({
  pool,
  config,
  health,
  logger,
}: {
  readonly pool: Pool;
  readonly config: { readonly MASTER_KEYS: MasterKeys };
  readonly health: Health;
  readonly logger: Logger;
}): Promise<void> => {
  const { names, all } = findMissingKeys(await sampleKeys(pool), config.MASTER_KEYS);
  if (names.length === 0) return;
  const missing = names.join(', ');
  if (all)
    throw new ConfigError([
      `MASTER_KEYS unwraps none of the keys in stream_key: they were wrapped under ${missing} (docs/how-to/erasure.md)`,
    ]);
  const reason = `MASTER_KEYS lacks ${missing}: personal data under it cannot be read`;
  logger.warn({ missing: names }, reason);
  health.degraded('master keys', () => reason);
};
