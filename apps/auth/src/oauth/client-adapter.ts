import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider';
import type { Tpp } from '../tpp/tpp.js';
import type { TppRegistry } from '../tpp/tpp-registry.js';
import { noSessions } from './artefact-adapter.js';

/** A TPP as the provider knows clients. `client_secret` holds the secret's hash: see compareClientSecret in provider.ts. */
export const clientOf = (tpp: Tpp): AdapterPayload =>
  ({
    client_id: tpp.clientId,
    client_name: tpp.name,
    ...(tpp.authMethod.startsWith('client_secret') ? { client_secret: tpp.secretHash } : {}),
    token_endpoint_auth_method: tpp.authMethod,
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

/** Requests whose client could not be read: the provider asks again to show the failure, and would wait a second time. */
const failed = new WeakMap<object, unknown>();

/** Reads clients from the registry at each request; a blocked TPP is no client. */
export const clientAdapter = (registry: Pick<TppRegistry, 'find'>): Adapter => ({
  ...noSessions,
  find: async (clientId) => {
    const request = Provider.ctx;
    if (request !== undefined && failed.has(request)) throw failed.get(request);
    try {
      const tpp = await registry.find(clientId);
      return tpp?.status === 'active' ? clientOf(tpp) : undefined;
    } catch (error) {
      if (request !== undefined) failed.set(request, error);
      throw error;
    }
  },
});
