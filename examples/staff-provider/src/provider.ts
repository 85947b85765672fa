import { Provider } from 'oidc-provider';
import type { Settings } from './config.js';
import { findMember } from './staff.js';

/** Creates the OpenID Connect provider, which knows one client, the console, and keeps everything in memory. */
export const createProvider = ({ OWN_URL, CONSOLE_URL, CLIENT_ID, CLIENT_SECRET }: Settings): Provider => {
  const provider = new Provider(OWN_URL, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${CONSOLE_URL}/sign-in/return`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'roles'] },
    // The ID token itself carries the roles.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => {
      const member = findMember(id);
      if (member === undefined) return undefined;
      return {
        accountId: id,
        claims: async () => ({ sub: id, name: id, preferred_username: id, roles: [member.role] }),
      };
    },
    // The staff is not asked whether the console may know who they are.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
  });
  return provider;
};
