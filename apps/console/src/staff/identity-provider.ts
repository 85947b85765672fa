import {
  allowInsecureRequests,
  ClientSecretBasic,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomState,
} from 'openid-client';
import { Strategy, type VerifyFunction } from 'openid-client/passport';
import { readRoles } from './roles.js';
import type { Staff } from './staff.js';

export interface IdentityProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim of the ID token that lists the person's roles. */
  readonly rolesClaim: string;
  /** The address to which the provider returns a person. */
  readonly callbackUrl: string;
  readonly scope: string;
}

/** Seconds to wait for an answer of the provider. */
const timeoutSeconds = 5;

/** The bank's OpenID Connect provider, at which its staff sign in. It is discovered when it is first needed. */
export class IdentityProvider {
  private found: Promise<Configuration> | undefined;

  constructor(private readonly settings: IdentityProviderSettings) {}

  /** Returns the strategy with which passport signs a person in. Throws if the provider does not answer. */
  async strategy(): Promise<Strategy> {
    return new StaffStrategy(
      {
        config: await this.configuration(),
        callbackURL: this.settings.callbackUrl,
        scope: this.settings.scope,
      },
      verifyBy(this.settings.rolesClaim),
    );
  }

  private async configuration(): Promise<Configuration> {
    this.found ??= this.discover().catch((error: unknown) => {
      this.found = undefined;
      throw error;
    });
    return this.found;
  }

  private async discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const isPlain = issuer.startsWith('http://');
    const config = await discovery(new URL(issuer), clientId, clientSecret, ClientSecretBasic(clientSecret), {
      timeout: timeoutSeconds,
      execute: isPlain ? [allowInsecureRequests] : [],
    });
    // The ID token is also verified by its signature, not only by the connection over which it came.
    enableNonRepudiationChecks(config);
    return config;
  }
}

/**
 * Adds `state` and `nonce` to each request; PKCE is always part of it. After a sign-out, the provider must ask who it is, so that
 * its own session does not bring the previous person back.
 */
class StaffStrategy extends Strategy {
  override authorizationRequestParams(request: unknown): URLSearchParams {
    const params = new URLSearchParams({ state: randomState(), nonce: randomNonce() });
    const { query } = request as { readonly query?: Readonly<Record<string, unknown>> };
    if (query?.['prompt'] === 'login') params.set('prompt', 'login');
    return params;
  }
}

const verifyBy =
  (rolesClaim: string): VerifyFunction =>
  (tokens, done) => {
    const claims = tokens.claims();
    if (claims === undefined) return done(null, false);
    const { sub, name, preferred_username: userName } = claims;
    const shown = [userName, name].find((text) => typeof text === 'string' && text !== '');
    const staff: Staff = { subject: sub, name: String(shown ?? sub), roles: readRoles(claims[rolesClaim]) };
    return done(null, staff);
  };
