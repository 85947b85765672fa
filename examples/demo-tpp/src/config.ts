import { choice, type ConfigOf, logLevel, port, text, url } from '@xs2a/runtime/config';

export const config = {
  PORT: port(),
  HOST: text('127.0.0.1'),
  /** The bank's public origin. This app uses no other address of the bank. */
  BANK_URL: url(),
  /** This app's own origin. Its `/callback` is the redirect URI registered at the bank. */
  OWN_URL: url(),
  /** The client id under which this TPP is registered at the bank. */
  CLIENT_ID: text(),
  CLIENT_SECRET: text(),
  /** The currency in which the bank's customers have their accounts. */
  CURRENCY: choice(['BGN', 'EUR'] as const)('BGN'),
  LOG_LEVEL: logLevel('info'),
};
export type Settings = ConfigOf<typeof config>;
