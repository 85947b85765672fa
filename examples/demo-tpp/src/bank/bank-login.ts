import type { FastifyReply, FastifyRequest } from 'fastify';
import { Passport } from 'passport';
import { Strategy, type StrategyOptions } from 'passport-oauth2';
import { callbackify } from 'node:util';
import type { Settings } from '../config.js';
import { type Bank, BankDown, type Grant } from './bank.js';

/** The member of the session in which passport-oauth2 keeps the login in progress. */
const sessionKey = 'bank-login';
interface Pending {
  state?: { readonly handle: string };
}
const pendingIn = ({ raw }: FastifyRequest): Pending => {
  const session = Object(Reflect.get(raw, 'session')) as Readonly<Record<string, Pending | undefined>>;
  return session[sessionKey] ?? {};
};

/** The permission that the user is asked for at the bank: reading accounts under a consent, or funds confirmation. */
export type Login =
  | { readonly scope: 'PSP_AI'; readonly consentId: string; readonly psuId: string }
  | { readonly scope: 'PSP_IC' };

/** The tokens, or the reason why there are none: the user refused, or this browser did not start the login here. */
export type LoginResult =
  | { readonly login: Login; readonly grant: Grant }
  | { readonly failed: 'refused' | 'not-ours' };

type Redeemed = (error: Error | null, accessToken?: string, refreshToken?: string) => void;

/**
 * passport-oauth2 with two additions: `consentId` in the authorization request, and a token request that uses this
 * client's registered authentication method (client_secret_basic; the package supports only client_secret_post).
 */
class BankStrategy extends Strategy {
  constructor(bank: Bank, options: StrategyOptions) {
    super(options, (accessToken: string, refreshToken: string, _profile: unknown, done: Verified) =>
      done(null, { accessToken, refreshToken }),
    );
    const redeem = callbackify(async (form: Readonly<Record<string, string>>) => bank.redeem(form));
    Object.assign(this._oauth2, {
      getOAuthAccessToken: (code: string, params: Readonly<Record<string, string>>, done: Redeemed) =>
        redeem({ ...params, code }, (error, grant) =>
          error === null ? done(null, grant.accessToken, grant.refreshToken) : done(error),
        ),
    });
  }

  override authorizationParams({ consentId }: { readonly consentId?: string }): object {
    return consentId === undefined ? {} : { consentId };
  }
}
type Verified = (error: null, grant: Grant) => void;

/**
 * Redirects a browser to the bank and handles its return, with OAuth 2.0, PKCE and state. passport keeps PKCE and
 * state in the session.
 */
export class BankLogin {
  private readonly passport = new Passport();

  constructor(
    bank: Bank,
    private readonly settings: Settings,
  ) {
    const { BANK_URL, OWN_URL, CLIENT_ID, CLIENT_SECRET } = settings;
    this.passport.use(
      'bank',
      new BankStrategy(bank, {
        authorizationURL: `${BANK_URL}/oauth2/authorize`,
        tokenURL: `${BANK_URL}/oauth2/token`,
        clientID: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        callbackURL: `${OWN_URL}/callback`,
        pkce: true,
        state: true,
        sessionKey,
        skipUserProfile: true,
      }),
    );
  }

  /** Redirects the browser to the bank. */
  redirect(login: Login, request: FastifyRequest, reply: FastifyReply): void {
    const options = { ...login, state: login as unknown as string };
    this.passport.authenticate('bank', options)(request.raw, reply.raw, (error?: unknown) => {
      throw error;
    });
  }

  /**
   * Handles the browser's return: verifies the issuer (RFC 9207) and the state, then exchanges the code. A return
   * that does not belong to this browser's login changes nothing.
   */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<LoginResult> {
    const { iss, state, code, error } = Object(request.query) as Readonly<Record<string, unknown>>;
    const pending = pendingIn(request);
    if (iss !== this.settings.BANK_URL || state === undefined || pending.state?.handle !== state)
      return { failed: 'not-ours' };
    if (error !== undefined || typeof code !== 'string') {
      delete pending.state;
      return { failed: 'refused' };
    }
    return new Promise((resolve, reject) => {
      const finished = (problem: unknown, grant: Grant | false, info?: { readonly state: Login }): void => {
        // passport-oauth2 wraps errors from the token endpoint.
        const cause: unknown = Reflect.get(Object(problem), 'oauthError');
        if (cause instanceof BankDown) reject(cause);
        else if (problem || !grant || info === undefined) resolve({ failed: 'not-ours' });
        else resolve({ grant, login: info.state });
      };
      this.passport.authenticate('bank', finished)(request.raw, reply.raw, reject);
    });
  }
}
