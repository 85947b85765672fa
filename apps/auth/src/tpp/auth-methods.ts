/**
 * The client authentication methods at the token endpoint (contract 4). `none`: a public client, which must use
 * PKCE.
 */
export const authMethods = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'tls_client_auth',
  'none',
] as const;
export type AuthMethod = (typeof authMethods)[number];
