import { type ConfigOf, logLevel, port, text, url } from '@xs2a/runtime/config';

export const config = {
  PORT: port(),
  HOST: text('127.0.0.1'),
  /** The bank's public origin, the only bank address that this app uses. */
  BANK_URL: url(),
  /** This app's own origin. Its `/callback` is the redirect URI registered at the bank. */
  OWN_URL: url(),
  /** The client id under which the bank has registered this TPP. */
  CLIENT_ID: text(),
  CLIENT_SECRET: text(),
  LOG_LEVEL: logLevel('info'),
};
export type Settings = ConfigOf<typeof config>;
