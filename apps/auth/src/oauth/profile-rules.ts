import type { AuthProfile } from '@xs2a/contracts/auth.contract';
import { type AuthMethod, authMethods } from '../tpp/auth-methods.js';

/** The rules that differ between the authorization server's profiles. */
export interface ProfileRules {
  readonly clientAuthMethods: readonly AuthMethod[];
  readonly requiresPushedRequests: boolean;
  readonly requiresPkce: boolean;
  /** True if every access token is bound to the client's key (DPoP) or certificate. */
  readonly bindsAccessTokens: boolean;
  readonly rotatesRefreshTokens: boolean;
}

export const profileRules: Readonly<Record<AuthProfile, ProfileRules>> = {
  oauth2: {
    clientAuthMethods: authMethods,
    requiresPushedRequests: false,
    requiresPkce: false,
    bindsAccessTokens: false,
    rotatesRefreshTokens: true,
  },
  /** FAPI 2.0 Security Profile Final, 5.3.2. */
  fapi2: {
    clientAuthMethods: ['private_key_jwt', 'tls_client_auth'],
    requiresPushedRequests: true,
    requiresPkce: true,
    bindsAccessTokens: true,
    rotatesRefreshTokens: false,
  },
};
