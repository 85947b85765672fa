import type { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { ConfigError } from '@xs2a/runtime/config';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import type { Pool } from 'pg';
import { findMissingKeys, sampleKeys } from './sample-keys.js';

/**
 * Compares a service's master keys, once and before it accepts calls, with those that wrap its stream keys. Throws
 * {@link ConfigError} if they unwrap none of the stream keys: the service would be unable to read stored data, and
 * would wrap new keys with a wrong master key. If only some master keys are missing, the service starts and names
 * them in its log and under `degraded`.
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
