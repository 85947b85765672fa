/**
 * The authorization server's paths and their methods, for `Allow`. Paths are matched exactly (contract 1):
 * oidc-provider's router ignores case and a trailing slash, but the checks around it accept only one spelling.
 */
const methods: Readonly<Record<string, string>> = {
  '/oauth2/authorize': 'GET',
  '/oauth2/token': 'POST',
  '/oauth2/revoke': 'POST',
  '/oauth2/par': 'POST',
  '/oauth2/jwks': 'GET',
  '/.well-known/oauth-authorization-server': 'GET',
};
export const oauthPaths: readonly string[] = Object.keys(methods);

/** The path to which the browser returns after the PSU has decided. */
const resumption = /^\/oauth2\/authorize\/[\w-]{1,100}$/;

/**
 * Returns the methods of a path (without its query), or undefined if the authorization server does not have the
 * path.
 */
export const oauthMethods = (path: string): string | undefined =>
  Object.hasOwn(methods, path) ? methods[path] : resumption.test(path) ? 'GET' : undefined;

/** The header that proves to the authorization server that a request comes from the gateway. */
export const gatewaySecretHeader = 'x-gateway-secret';
