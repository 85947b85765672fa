import { coreBankConfig, databaseConfig, hashKeys, text } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...coreBankConfig,
  /** Under these keys what a guess would open is stored as HMACs (idempotency keys and bodies): NAME:BASE64 of 32 bytes, the newest first (docs/how-to/rotate-keys.md). */
  HASH_KEYS: hashKeys(),
  /** JSON file with the bank, its customers and accounts that a fresh sandbox has. */
  SANDBOX_FIXTURES: text(),
};
