/** How a TPP proves itself at the token endpoint (contract 4). `none`: a public client, PKCE is required of it. */
export const authMethods = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'tls_client_auth',
  'none',
] as const;
export type AuthMethod = (typeof authMethods)[number];
