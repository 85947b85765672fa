import { coreBankConfig, databaseConfig, hashKeys, text } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...coreBankConfig,
  /** HMAC keys for idempotency keys and bodies, newest first (docs/how-to/rotate-keys.md). */
  HASH_KEYS: hashKeys(),
  /** JSON file with the bank, customers and accounts of a fresh sandbox. */
  SANDBOX_FIXTURES: text(),
};
