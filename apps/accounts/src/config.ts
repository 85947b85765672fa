import { coreBankConfig, databaseConfig, hashKeys, text } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...coreBankConfig,
  /** HMAC keys of idempotency keys and bodies; the newest first (docs/how-to/rotate-keys.md). */
  HASH_KEYS: hashKeys(),
  /** JSON file with the bank, customers and accounts of a fresh sandbox. */
  SANDBOX_FIXTURES: text(),
};
