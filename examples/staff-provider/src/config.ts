import { type ConfigOf, logLevel, port, text, url } from '@xs2a/runtime/config';

export const config = {
  PORT: port(),
  HOST: text('127.0.0.1'),
  /** This provider's own origin, which is its issuer. */
  OWN_URL: url(),
  /** The console's origin, to which people return. */
  CONSOLE_URL: url(),
  /** The console's registration. */
  CLIENT_ID: text(),
  CLIENT_SECRET: text(),
  LOG_LEVEL: logLevel('info'),
};
export type Settings = ConfigOf<typeof config>;
