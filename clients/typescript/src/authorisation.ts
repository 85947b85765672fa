import * as oauth from 'openid-client';
import type { Api } from './api.js';
import type { Connection } from './connection.js';
import { unwrap } from './error.js';
import type { components } from './generated/euro.js';
import { type CreateOptions, creationHeaders } from './payments.js';
import { openSession, type Session, type SessionOptions } from './session.js';
import { readTokens } from './tokens.js';

type Schemas = components['schemas'];

/**
 * An authorization that the PSU has been asked for. Keep it in the session of the PSU's browser until the PSU comes
 * back: `state` proves that it is the same browser, and `verifier` must not leave your server.
 */
export interface PendingAuthorisation {
  readonly state: string;
  readonly verifier: string;
}
export interface StartedAuthorisation {
  /** Send the PSU's browser here. */
  readonly url: string;
  readonly pending: PendingAuthorisation;
}

const redirectUriOf = ({ options: { redirectUri } }: Connection): string => {
  if (redirectUri === undefined) throw new TypeError('createXs2a needs redirectUri for this call');
  return redirectUri;
};

/** Pushes an authorization request (RFC 9126) with PKCE and state. */
const begin = async (
  connection: Connection,
  asked: Readonly<Record<string, string>>,
): Promise<StartedAuthorisation> => {
  const [state, verifier] = [oauth.randomState(), oauth.randomPKCECodeVerifier()];
  const parameters = {
    redirect_uri: redirectUriOf(connection),
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...asked,
  };
  const url = await connection.ask(true, async ({ config, dpop }) =>
    oauth.buildAuthorizationUrlWithPAR(config, parameters, dpop),
  );
  return { url: url.href, pending: { state, verifier } };
};

class Authorisations {
  constructor(protected readonly connection: Connection) {}

  /**
   * Turns the PSU's return to your redirect URI into a session, after verifying state and issuer. Throws an
   * `Xs2aError`: `access_denied` if the PSU refused, `INVALID_ANSWER` if this is not the return that was expected.
   */
  async finish(
    callbackUrl: string | URL,
    { state, verifier }: PendingAuthorisation,
    options: SessionOptions = {},
  ): Promise<Session> {
    const url = new URL(callbackUrl);
    // Not repeated: a code that is used twice ends its tokens.
    const answer = await this.connection.ask(false, async ({ config, dpop }) =>
      oauth.authorizationCodeGrant(
        config,
        url,
        { pkceCodeVerifier: verifier, expectedState: state },
        undefined,
        dpop,
      ),
    );
    const tokens = readTokens(answer, this.connection.nowMs());
    await options.save?.(tokens);
    return openSession(this.connection, tokens, options);
  }
}

/** As for a payment, with the PSU whose accounts they are. */
export type ConsentOptions = CreateOptions &
  ({ readonly psuId: string } | { readonly psuCorporateId: string });

/** Consents of PSUs to the reading of their accounts. */
export class Consents extends Authorisations {
  constructor(
    connection: Connection,
    private readonly api: Api,
  ) {
    super(connection);
  }

  /** Creates a consent, and the address at which the PSU authorises it. */
  async start(
    body: Schemas['ConsentRequest'],
    options: ConsentOptions,
  ): Promise<StartedAuthorisation & { readonly consentId: string }> {
    const { consentId } = unwrap(
      await this.api.POST('/v1/consents', { headers: creationHeaders(options), body }),
    );
    return { consentId, ...(await begin(this.connection, { scope: 'PSP_AI', consentId })) };
  }

  async get(consentId: string): Promise<Schemas['Consent']> {
    return unwrap(await this.api.GET('/v1/consents/{consentId}', { params: { path: { consentId } } }));
  }

  async delete(consentId: string): Promise<void> {
    unwrap(await this.api.DELETE('/v1/consents/{consentId}', { params: { path: { consentId } } }));
  }
}

/** Authorizations of PSUs for funds confirmation. */
export class Funds extends Authorisations {
  async start(): Promise<StartedAuthorisation> {
    return begin(this.connection, { scope: 'PSP_IC' });
  }
}
