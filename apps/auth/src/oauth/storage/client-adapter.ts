import { agreementFailure } from '@xs2a/qwac/agreement';
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider';
import type { Tpp } from '../../tpp/tpp.js';
import type { TppRegistry } from '../../tpp/tpp-registry.js';
import { noSessions } from './model-adapter.js';
import type { ProfileRules } from '../profile-rules.js';
import { certificateNow, type ShownCertificate, toSubject } from '../shown-certificate.js';

/** A TPP as the provider knows clients. `client_secret` holds the secret's hash: see provider-patches.ts. */
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
      // A public client cannot prove who it is, so it has no tokens of its own.
      ...(tpp.authMethod === 'none' ? [] : ['client_credentials']),
    ],
    response_types: ['code'],
    redirect_uris: [...tpp.redirectUris],
    scope: tpp.roles.join(' '),
    id_token_signed_response_alg: 'ES256',
    ...(tpp.jwks === undefined ? {} : { jwks: tpp.jwks }),
  }) as AdapterPayload;

/** By its certificate the TPP is known, and its tokens are bound to it (RFC 8705). */
const certificateMetadata = ({ organizationIdentifier }: Tpp): object => ({
  tls_client_auth_subject_dn: toSubject(organizationIdentifier ?? ''),
  tls_client_certificate_bound_access_tokens: true,
});

/** Requests whose client could not be read: the provider asks again to show the failure, and would wait a second time. */
const failed = new WeakMap<object, unknown>();

/**
 * Reads clients from the registry at each request. A blocked TPP is no client, nor is one that proves itself in a way that the
 * profile does not take, or one whose request shows the certificate of another.
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
