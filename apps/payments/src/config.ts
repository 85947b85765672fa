import { databaseConfig, text } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  /** The four letters of this bank in its IBANs. */
  BANK_CODE: text('XSBK'),
};
