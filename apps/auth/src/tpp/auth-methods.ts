/** The methods of client authentication at the token endpoint (contract 4). `none`: a public client, of which PKCE is required. */
export const authMethods = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'tls_client_auth',
  'none',
] as const;
export type AuthMethod = (typeof authMethods)[number];
