import { databaseConfig, eventStreamConfig, text } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...eventStreamConfig,
  /** The four letters of this bank in its IBANs. */
  BANK_CODE: text('XSBK'),
};
