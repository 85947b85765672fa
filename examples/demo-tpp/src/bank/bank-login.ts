import { randomToken } from '@xs2a/runtime/ids';
import { type StateStore, Strategy, type StrategyOptions, type VerifyFunction } from 'passport-oauth2';
import { callbackify } from 'node:util';
import { type Bank, BankAway, type BankSettings, type Grant } from './bank.js';

/** Why the person was sent to the bank. */
type Purpose = 'accounts' | 'funds';
/** Secrets of one redirect to the bank, kept in the browser's session and valid for one return. */
export interface PendingLogin {
  readonly purpose: Purpose;
  readonly state: string;
  readonly verifier: string;
  readonly consentId?: string;
  readonly psuId?: string;
}
interface PendingRequest {
  readonly purpose: Purpose;
  readonly consentId?: string;
  readonly psuId?: string;
}
interface Holder {
  pending?: PendingLogin;
}
/** The parts of a request that the strategy reads. */
interface LoginRequest {
  readonly session: Holder;
  readonly query: Readonly<Record<string, unknown>>;
  readonly request?: PendingRequest;
}
export type Returned = { readonly grant: Grant; readonly pending: PendingLogin } | 'refused' | 'not-ours';

const scopes: Readonly<Record<Purpose, string>> = { accounts: 'PSP_AI', funds: 'PSP_IC' };

/**
 * OAuth 2.0 with PKCE and state against the bank: passport-oauth2 with `consentId` in the request, and with the code
 * redeemed as this client is registered (client_secret_basic; the package knows client_secret_post only).
 */
class BankStrategy extends Strategy {
  constructor(bank: Pick<Bank, 'redeem'>, options: StrategyOptions, verify: VerifyFunction) {
    super(options, verify);
    const redeem = callbackify(async (form: Readonly<Record<string, string>>) => bank.redeem(form));
    Object.assign(this._oauth2, {
      getOAuthAccessToken: (code: string, params: Readonly<Record<string, string>>, done: Redeemed) =>
        redeem({ ...params, code }, (error, grant) =>
          error === null ? done(null, grant.accessToken, grant.refreshToken) : done(error),
        ),
    });
  }

  override authorizationParams(options: { readonly consentId?: string }): object {
    return options.consentId === undefined ? {} : { consentId: options.consentId };
  }
}

type Redeemed = (error: Error | null, accessToken?: string, refreshToken?: string) => void;

/** Keeps state and code verifier in the person's own session, for one return only. */
const store = {
  store: (
    { session, request }: LoginRequest,
    verifier: string,
    _state: unknown,
    _meta: unknown,
    done: (error: null, state: string) => void,
  ): void => {
    const state = randomToken();
    session.pending = { ...(request ?? { purpose: 'accounts' }), state, verifier };
    done(null, state);
  },
  verify: (
    { session }: LoginRequest,
    state: unknown,
    _meta: unknown,
    done: (error: null, verifier: string | false, info?: object) => void,
  ): void => {
    const { pending } = session;
    delete session.pending;
    if (pending === undefined || pending.state !== state) done(null, false, { message: 'state' });
    else done(null, pending.verifier);
  },
};

type Outcome = { readonly location: string } | { readonly grant: Grant } | { readonly failed: true };

/** A browser's redirect to the bank and its return. */
export class BankLogin {
  private readonly strategy: BankStrategy;
  private readonly issuer: string;

  constructor(bank: Bank, settings: BankSettings & { readonly OWN_URL: string }) {
    this.issuer = settings.BANK_URL;
    this.strategy = new BankStrategy(
      bank,
      {
        authorizationURL: `${settings.BANK_URL}/oauth2/authorize`,
        tokenURL: `${settings.BANK_URL}/oauth2/token`,
        clientID: settings.CLIENT_ID,
        clientSecret: settings.CLIENT_SECRET,
        callbackURL: `${settings.OWN_URL}/callback`,
        pkce: true,
        state: true,
        store: store as unknown as StateStore,
        skipUserProfile: true,
      },
      (accessToken: string, refreshToken: string, _profile: unknown, done: (e: null, grant: Grant) => void) =>
        done(null, { accessToken, refreshToken }),
    );
  }

  /** Returns the address of the redirect. The session keeps what the return needs. */
  async begin(session: Holder, request: PendingRequest): Promise<string> {
    const options = { scope: scopes[request.purpose], consentId: request.consentId };
    const outcome = await this.run({ session, query: {}, request }, options);
    if (!('location' in outcome)) throw new Error('the strategy returned no redirect');
    return outcome.location;
  }

  /** The browser has returned. `not-ours`: this browser did not start it here, or the answer is not from this bank (RFC 9207). */
  async finish(session: Holder, query: LoginRequest['query']): Promise<Returned> {
    const { pending } = session;
    const isOurs = pending !== undefined && query['state'] === pending.state && query['iss'] === this.issuer;
    if (!isOurs) return 'not-ours';
    if (query['error'] !== undefined) {
      delete session.pending;
      return 'refused';
    }
    const outcome = await this.run({ session, query }, {});
    return 'grant' in outcome ? { grant: outcome.grant, pending } : 'not-ours';
  }

  /** Runs the strategy, which reports its outcome by calling one of these functions on itself. */
  private async run(request: LoginRequest, options: object): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const attempt = Object.assign(Object.create(this.strategy) as object, {
        redirect: (location: string) => resolve({ location }),
        success: (grant: Grant) => resolve({ grant }),
        fail: () => resolve({ failed: true }),
        error: (error: unknown) => {
          // passport-oauth2 wraps errors of the token endpoint.
          const cause: unknown = Reflect.get(Object(error), 'oauthError');
          if (cause instanceof BankAway) reject(cause);
          else resolve({ failed: true });
        },
      });
      Reflect.apply(this.strategy.authenticate, attempt, [request, options]);
    });
  }
}
