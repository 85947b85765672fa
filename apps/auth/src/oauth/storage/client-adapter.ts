import { agreementFailure } from '@xs2a/qwac/agreement';
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider';
import type { Tpp } from '../../tpp/tpp.js';
import type { TppRegistry } from '../../tpp/tpp-registry.js';
import { noSessions } from './model-adapter.js';
import type { ProfileRules } from '../profile-rules.js';
import { certificateNow, type ShownCertificate, toSubject } from '../shown-certificate.js';

/**
 * Converts a TPP to the provider's client format. `client_secret` contains the hash of the secret (see
 * provider-patches.ts).
 */
const toClient = (tpp: Tpp, bindsAccessTokens: boolean): AdapterPayload =>
  ({
    client_id: tpp.clientId,
    client_name: tpp.name,
    ...(tpp.authMethod.startsWith('client_secret') ? { client_secret: tpp.secretHash } : {}),
    token_endpoint_auth_method: tpp.authMethod,
    ...(tpp.authMethod === 'tls_client_auth'
      ? certificateMetadata(tpp)
      : { dpop_bound_access_tokens: bindsAccessTokens }),
    grant_types: [
      'authorization_code',
      'refresh_token',
      // A public client cannot authenticate, so it gets no application tokens.
      ...(tpp.authMethod === 'none' ? [] : ['client_credentials']),
    ],
    response_types: ['code'],
    redirect_uris: [...tpp.redirectUris],
    scope: tpp.roles.join(' '),
    id_token_signed_response_alg: 'ES256',
    ...(tpp.jwks === undefined ? {} : { jwks: tpp.jwks }),
  }) as AdapterPayload;

/** Metadata of a TPP that is identified by its certificate; its tokens are bound to that certificate (RFC 8705). */
const certificateMetadata = ({ organizationIdentifier }: Tpp): object => ({
  tls_client_auth_subject_dn: toSubject(organizationIdentifier ?? ''),
  tls_client_certificate_bound_access_tokens: true,
});

/**
 * Requests whose client could not be read. The provider reads the client again to render the error, and would
 * otherwise wait a second time.
 */
const failed = new WeakMap<object, unknown>();

/**
 * Reads clients from the registry on each request. A TPP does not count as a client if it is blocked, if the
 * profile does not allow its authentication method, or if its request presents another TPP's certificate.
 */
export const clientAdapter = (
  registry: Pick<TppRegistry, 'find'>,
  { shown, rules }: { readonly shown: ShownCertificate | undefined; readonly rules: ProfileRules },
): Adapter => ({
  ...noSessions,
  find: async (clientId) => {
    const request = Provider.ctx;
    if (request !== undefined && failed.has(request)) throw failed.get(request);
    try {
      const tpp = await registry.find(clientId);
      if (tpp?.status !== 'active' || !rules.clientAuthMethods.includes(tpp.authMethod)) return undefined;
      if (shown === undefined && tpp.authMethod === 'tls_client_auth') return undefined;
      const certificate = certificateNow(shown);
      const disagrees =
        certificate !== undefined && agreementFailure(certificate.qwac, tpp, undefined) !== undefined;
      return disagrees ? undefined : toClient(tpp, rules.bindsAccessTokens);
    } catch (error) {
      if (request !== undefined) failed.set(request, error);
      throw error;
    }
  },
});
