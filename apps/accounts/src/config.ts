import { databaseConfig, text } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  /** JSON file with the bank, its customers and accounts that a fresh sandbox has. */
  SANDBOX_FIXTURES: text(),
};
