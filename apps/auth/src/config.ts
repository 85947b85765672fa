import { authProfiles } from '@xs2a/contracts/auth.contract';
import {
  choice,
  coreBankConfig,
  databaseConfig,
  days,
  flag,
  hashKeys,
  httpConfig,
  optional,
  publicUrl,
  sharedSecrets,
  text,
} from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...coreBankConfig,
  ...httpConfig,
  /**
   * The secret that the gateway sends to the authorization server as `X-Gateway-Secret`: the first of these. The authorization server
   * answers nobody who sends none of them.
   */
  GATEWAY_SECRET: sharedSecrets(),
  /** The public origin; also the OAuth issuer. */
  BASE_URL: publicUrl(),
  /** The origin of the PSU's pages where they have a host of their own (contract 1); absent: BASE_URL. The gateway has it too. */
  PAGES_URL: optional(publicUrl()),
  /** JWK set with the private ES256 keys, the first one signs; made at the first start in the sandbox. */
  AUTH_KEYS_FILE: text(),
  /** At least 32 characters; keys of cookies and one-time codes derive from it. */
  AUTH_COOKIE_SECRET: text(),
  /** At least 32 characters; the names by which TPPs know PSUs (`sub`) derive from it. Changing it gives all of them new names. */
  AUTH_SUBJECT_SECRET: text(),
  /** Under these keys what a guess would open is stored as HMACs (idempotency keys, bodies, names that no customer has): NAME:BASE64 of 32 bytes, the newest first (docs/how-to/rotate-keys.md). */
  HASH_KEYS: hashKeys(),
  /** `fapi2`: confidential clients with keys or certificates, pushed requests, PKCE and bound tokens only. The gateway has it too. */
  AUTH_PROFILE: choice(authProfiles)('oauth2'),
  /** True: PKCE is required of confidential clients too (of public ones it always is). */
  AUTH_PKCE_REQUIRED: flag(false),
  /** PEM certificates of the authorities whose QWACs are taken; absent: TPPs are registered without certificates. */
  TRUST_ANCHORS: optional(text()),
  /** For how long a customer's count of failures and chosen language are kept after the last sign-in (docs/how-to/retention.md). */
  PSU_SIGN_IN_DAYS: days(30, 1827)(396),
  /** The TPPs of a fresh sandbox. */
  SANDBOX_FIXTURES: optional(text()),
};
