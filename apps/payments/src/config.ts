import { databaseConfig, relayConfig, text } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...relayConfig,
  /** The four letters of this bank in its IBANs. */
  BANK_CODE: text('XSBK'),
};
