import type { NewTpp, TppRecord } from '../auth.contract.js';
import { call } from '../call.js';

/** The TPP that calls; its client id comes from its access token. */
interface OwnTppCaller {
  readonly tppId: string;
}
/** A registration as its TPP reads it: without the secret and its hash. */
export interface OwnTpp extends Pick<TppRecord, 'clientId' | 'name' | 'roles' | 'redirectUris' | 'status'> {
  readonly tokenEndpointAuthMethod: string;
  /** Public keys; absent for a TPP that registered none. */
  readonly jwks?: NewTpp['jwks'];
}
/** A TPP's own registration (contract 13); only in the sandbox. Fails with resourceUnknown. */
export const readOwnTpp = call<OwnTppCaller, OwnTpp>('svc.auth.sandbox.read-own-tpp', 'idempotent');
/**
 * Adds a redirect URI to the caller's registration and returns it; a URI that it already has changes nothing. The service
 * validates the body as `{redirectUri}`. Fails with registrationShared for a TPP of the fixtures.
 */
export const addRedirectUri = call<OwnTppCaller & { readonly body: unknown }, OwnTpp>(
  'svc.auth.sandbox.add-redirect-uri',
  'idempotent',
);
/** Fails as {@link addRedirectUri} would before the body (contract 3). Called instead of it if the gateway could not read the body. */
export const checkRedirectUriBeforeBody = call<OwnTppCaller, Record<string, never>>(
  'svc.auth.sandbox.check-redirect-uri-before-body',
  'idempotent',
);
/**
 * Gives the caller a new client secret, which only this answer contains; the old one ends at once, access tokens do not. Fails
 * with registrationShared, and with registrationWithoutSecret for a TPP that authenticates without a secret.
 */
export const renewSecret = call<OwnTppCaller, { readonly clientSecret: string }>(
  'svc.auth.sandbox.renew-secret',
  'not-idempotent',
);
