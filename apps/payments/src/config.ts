import { databaseConfig, relayConfig, text } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...relayConfig,
  /** This bank's four-letter code, as in its IBANs. */
  BANK_CODE: text('XSBK'),
};
