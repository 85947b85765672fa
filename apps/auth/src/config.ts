import { authProfiles } from '@xs2a/contracts/auth.contract';
import {
  choice,
  type ConfigOf,
  coreBankConfig,
  databaseConfig,
  days,
  flag,
  hashKeys,
  httpConfig,
  optional,
  publicUrl,
  type serviceConfig,
  sharedSecrets,
  text,
} from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...coreBankConfig,
  ...httpConfig,
  /** The gateway sends the first as `X-Gateway-Secret`; the authorization server accepts each and refuses all other requests. */
  GATEWAY_SECRET: sharedSecrets(),
  /** The public origin; also the OAuth issuer. */
  BASE_URL: publicUrl(),
  /** The origin of the PSU's pages if they have a separate host (contract 1); absent: BASE_URL. The same in the gateway. */
  PAGES_URL: optional(publicUrl()),
  /** JWK set with the private ES256 keys; the first signs. The sandbox creates it. */
  AUTH_KEYS_FILE: text(),
  /** At least 32 characters; keys for cookies and one-time codes are derived from it. */
  AUTH_COOKIE_SECRET: text(),
  /** At least 32 characters; `sub` derives from it, so a change gives every PSU a new `sub`. */
  AUTH_SUBJECT_SECRET: text(),
  /** HMAC keys of idempotency keys, bodies and unknown names; the newest first (docs/how-to/rotate-keys.md). */
  HASH_KEYS: hashKeys(),
  /** `fapi2`: FAPI 2.0 Security Profile (contract 4). The same in the gateway. */
  AUTH_PROFILE: choice(authProfiles)('oauth2'),
  /** True: PKCE is required of confidential clients too. */
  AUTH_PKCE_REQUIRED: flag(false),
  /** PEM certificates of the authorities whose QWACs are accepted; absent: TPPs are registered without certificates. */
  TRUST_ANCHORS: optional(text()),
  /** Retention of a customer's failure count and language after the last sign-in (docs/how-to/retention.md). */
  PSU_SIGN_IN_DAYS: days(30, 1827)(396),
  /** The TPPs of a new sandbox. */
  SANDBOX_FIXTURES: optional(text()),
};

export type AuthConfig = ConfigOf<typeof config & typeof serviceConfig>;
