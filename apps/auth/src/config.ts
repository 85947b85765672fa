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
  /**
   * The gateway sends the first secret as `X-Gateway-Secret`. The authorization server accepts any of them and
   * refuses all other requests.
   */
  GATEWAY_SECRET: sharedSecrets(),
  /** The public origin, which is also the OAuth issuer. */
  BASE_URL: publicUrl(),
  /**
   * The origin of the PSU's pages, if they have a separate host (contract 1). If absent, BASE_URL is used. Must be
   * the same in the gateway.
   */
  PAGES_URL: optional(publicUrl()),
  /** The file with the JWK set of private ES256 keys; the first key signs. The sandbox creates it. */
  AUTH_KEYS_FILE: text(),
  /**
   * The file with the JWK set of private ES256 keys for dispute bundles; the first key signs. They must differ from those
   * in AUTH_KEYS_FILE. The sandbox creates it.
   */
  BUNDLE_KEYS_FILE: text(),
  /** At least 32 characters. The keys for cookies and one-time codes are derived from it. */
  AUTH_COOKIE_SECRET: text(),
  /** At least 32 characters. `sub` is derived from it, so a change gives every PSU a new `sub`. */
  AUTH_SUBJECT_SECRET: text(),
  /** HMAC keys for idempotency keys, bodies and unknown names, newest first (docs/how-to/rotate-keys.md). */
  HASH_KEYS: hashKeys(),
  /** `fapi2` selects the FAPI 2.0 Security Profile (contract 4). Must be the same in the gateway. */
  AUTH_PROFILE: choice(authProfiles)('oauth2'),
  /** If true, PKCE is required of confidential clients too. */
  AUTH_PKCE_REQUIRED: flag(false),
  /**
   * PEM certificates of the authorities whose QWACs are accepted. If absent, TPPs are registered without
   * certificates.
   */
  TRUST_ANCHORS: optional(text()),
  /**
   * How many days a customer's failure count and language are kept after the last sign-in, and the customer's id in
   * the record of a lifted SCA lock after the lift (docs/how-to/retention.md).
   */
  PSU_SIGN_IN_DAYS: days(30, 1827)(396),
  /** The TPPs with which a new sandbox starts. */
  SANDBOX_FIXTURES: optional(text()),
};

export type AuthConfig = ConfigOf<typeof config & typeof serviceConfig>;
