import { httpConfig, url } from '@xs2a/runtime/config';

/** The gateway's own settings, beside those of every service. */
export const config = {
  ...httpConfig,
  /** The public origin: what links and tokens name. */
  BASE_URL: url(),
  /** Where the authorization server and the SCA pages are. */
  AUTH_URL: url(),
};
