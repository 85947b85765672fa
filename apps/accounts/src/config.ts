import { coreBankConfig, databaseConfig, text } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...coreBankConfig,
  /** JSON file with the bank, its customers and accounts that a fresh sandbox has. */
  SANDBOX_FIXTURES: text(),
};
