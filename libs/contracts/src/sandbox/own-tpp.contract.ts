import type { NewTpp, TppRecord } from '../auth.contract.js';
import { call, type IdempotencyKey, whenKeyed } from '../call.js';

/** The TPP that calls; its client id comes from its access token. */
interface OwnTppCaller {
  readonly tppId: string;
}
/** The TPP that adds a redirect URI to its own registration. */
interface RedirectUriCaller extends OwnTppCaller {
  /** True if the caller has proved possession of the key or certificate to which its access token is bound. */
  readonly hasBoundToken?: boolean;
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
 * Adds a redirect URI to the caller's registration and returns the registration; a URI that the registration already
 * contains changes nothing. The service validates the body as `{redirectUri, clientSecret?}`: a TPP with a secret must
 * send the secret, and a TPP without a secret must call with a bound token. Fails with registrationShared for a TPP of
 * the fixtures, and with tokenOfWrongKind for a TPP without a secret whose token is not bound.
 */
export const addRedirectUri = call<RedirectUriCaller & { readonly body: unknown }, OwnTpp>(
  'svc.auth.sandbox.add-redirect-uri',
  'idempotent',
);
/**
 * Fails like {@link addRedirectUri} for each reason that precedes the validation of the body (contract 3). The gateway
 * makes this call instead if it could not read the body.
 */
export const checkRedirectUriBeforeBody = call<RedirectUriCaller, Record<string, never>>(
  'svc.auth.sandbox.check-redirect-uri-before-body',
  'idempotent',
);
/**
 * Replaces the caller's client secret. Only this request and its repeats receive the new secret; the old secret becomes
 * invalid immediately, and access tokens stay valid. The service validates the body as `{clientSecret}`, the present
 * secret. Fails with registrationShared for a TPP of the fixtures, and with registrationWithoutSecret for a TPP that
 * authenticates without a secret.
 */
export const renewSecret = call<
  OwnTppCaller & { readonly idempotencyKey: IdempotencyKey; readonly body: unknown },
  { readonly clientSecret: string }
>('svc.auth.sandbox.renew-secret', whenKeyed);
/**
 * Fails like {@link renewSecret} for each reason that precedes the validation of the body (contract 3). The gateway
 * makes this call instead if it could not read the body.
 */
export const checkSecretBeforeBody = call<
  OwnTppCaller & { readonly idempotencyKey: IdempotencyKey },
  Record<string, never>
>('svc.auth.sandbox.check-secret-before-body', 'idempotent');
