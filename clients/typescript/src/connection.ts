import type { JsonWebKey } from 'node:crypto';
import * as oauth from 'openid-client';
import { toXs2aError, Xs2aError } from './error.js';

/** A public key of the bank. */
export type SigningKey = JsonWebKey & { readonly kid?: string };

/** How the TPP authenticates: a secret, a private key (`private_key_jwt`), or any method of openid-client. */
export type Authentication =
  | { readonly secret: string }
  | { readonly key: oauth.CryptoKey; readonly kid?: string }
  | oauth.ClientAuth;

export interface Xs2aOptions {
  /** The bank's origin, such as `https://xs2a.bank.example`. It is also the issuer of the tokens. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly auth: Authentication;
  /** A key pair to which all tokens are bound (RFC 9449). `true` makes one that ends with the process. */
  readonly dpop?: boolean | oauth.CryptoKeyPair;
  /** Your registered redirect URI. Needed for consents and funds confirmation. */
  readonly redirectUri?: string;
  /** Follows the clock of a sandbox, and accepts http. Never set it for a bank: a bank could then move your clock. */
  readonly sandbox?: boolean;
  /** Sends the requests, for a proxy or a client certificate; `fetch` by default. */
  readonly fetch?: typeof fetch;
  /** Returns the time in epoch milliseconds; `Date.now` by default. */
  readonly now?: () => number;
  /** Resolves after some milliseconds; a timer by default. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** The pauses before a request is repeated, unless the bank says when; then it has failed. */
const pausesMs = [500, 1000, 2000, 4000];
/** The longest pause that a bank may ask for. */
const longestPauseMs = 15_000;

const clientAuth = (auth: Authentication): oauth.ClientAuth => {
  if (typeof auth === 'function') return auth;
  return 'secret' in auth
    ? oauth.ClientSecretBasic(auth.secret)
    : oauth.PrivateKeyJwt(auth.kid === undefined ? auth.key : { key: auth.key, kid: auth.kid });
};

const timer = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** openid-client's view of the bank at one clock skew, which it cannot change later. */
interface Configured {
  readonly skewSeconds: number;
  readonly config: oauth.Configuration;
  readonly dpop: { readonly DPoP?: oauth.DPoPHandle };
}

/** The bank's addresses, the clock, and requests that are repeated while the bank is temporarily unavailable. */
export class Connection {
  readonly wait: (ms: number) => Promise<void>;
  private readonly now: () => number;
  private skewSeconds = 0;
  private discovered: Promise<oauth.ServerMetadata> | undefined;
  private keyPair: Promise<oauth.CryptoKeyPair> | undefined;
  private configured: Configured | undefined;

  constructor(readonly options: Xs2aOptions) {
    this.now = options.now ?? Date.now;
    this.wait = options.wait ?? timer;
  }

  /** The time in epoch milliseconds: your own clock, or the sandbox's. */
  nowMs(): number {
    return this.now() + this.skewSeconds * 1000;
  }

  /** The configuration for calls of openid-client, with its DPoP handle. Reads the discovery document once. */
  async configure(): Promise<Configured> {
    this.discovered ??= this.discover().catch((error: unknown) => {
      this.discovered = undefined;
      throw toXs2aError(error);
    });
    const metadata = await this.discovered;
    const { skewSeconds } = this;
    if (this.configured?.skewSeconds === skewSeconds) return this.configured;
    const { clientId, auth, dpop } = this.options;
    const config = new oauth.Configuration(
      metadata,
      clientId,
      { [oauth.clockSkew]: skewSeconds },
      clientAuth(auth),
    );
    config[oauth.customFetch] = this.send;
    if (this.isInsecure()) oauth.allowInsecureRequests(config);
    if (dpop !== undefined && dpop !== false)
      this.keyPair ??= dpop === true ? oauth.randomDPoPKeyPair('ES256') : Promise.resolve(dpop);
    const keyPair = await this.keyPair;
    this.configured = {
      skewSeconds,
      config,
      dpop: keyPair === undefined ? {} : { DPoP: oauth.getDPoPHandle(config, keyPair) },
    };
    return this.configured;
  }

  /**
   * Sends a request with an access token. Repeats it after 503 or without an answer if that is safe: a read, a
   * cancellation, or a creation with its idempotency key. Throws an `Xs2aError` if the bank never answered.
   */
  async fetch(accessToken: string, request: Request): Promise<Response> {
    const isSafe = request.method !== 'POST' || request.headers.has('idempotency-key');
    const body = request.body === null ? undefined : await request.text();
    return this.repeat(isSafe, async () => {
      const { config, dpop } = await this.configure();
      const url = new URL(request.url);
      const headers = new Headers(request.headers);
      return oauth
        .fetchProtectedResource(config, accessToken, url, request.method, body, headers, dpop)
        .catch((error: unknown) => {
          if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
          throw error;
        });
    });
  }

  /** Asks the authorization server for something; repeats that too, unless it may happen only once. */
  async ask<Answer>(isSafe: boolean, call: (configured: Configured) => Promise<Answer>): Promise<Answer> {
    return this.repeat(isSafe, async () => call(await this.configure()));
  }

  /** The keys that the bank publishes now. */
  async signingKeys(): Promise<readonly SigningKey[]> {
    return this.repeat(true, async () => {
      const { config } = await this.configure();
      const { jwks_uri = '' } = config.serverMetadata();
      const response = await this.send(jwks_uri, {
        method: 'GET',
        headers: {},
        body: undefined,
        redirect: 'manual',
      });
      if (!response.ok) throw new Xs2aError([], { status: response.status });
      return ((await response.json()) as { keys: SigningKey[] }).keys;
    });
  }

  private async repeat<Answer>(isSafe: boolean, attempt: () => Promise<Answer>): Promise<Answer> {
    let { skewSeconds } = this;
    for (let number = 0; ; number += 1) {
      const outcome = await attempt().then(
        (answer) => ({ answer, pauseMs: answer instanceof Response ? pauseAfter(answer) : undefined }),
        (cause: unknown) => {
          const error = toXs2aError(cause);
          return { error, pauseMs: isTemporary(error) ? 0 : undefined };
        },
      );
      const pause = isSafe ? pausesMs[number] : undefined;
      // The sandbox moved its clock, so what this request signed was out of date; the next one follows it.
      const isLate = this.skewSeconds !== skewSeconds && isRejected(outcome);
      if (pause === undefined || (outcome.pauseMs === undefined && !isLate)) {
        if ('error' in outcome) throw outcome.error;
        return outcome.answer;
      }
      ({ skewSeconds } = this);
      if (!isLate) await this.wait(outcome.pauseMs || pause);
    }
  }

  private readonly send: oauth.CustomFetch = async (url, init) => {
    const { fetch: sender = fetch, sandbox } = this.options;
    const response = await sender(url, init as RequestInit);
    const clock = Date.parse(response.headers.get('x-sandbox-clock') ?? '');
    if (sandbox === true && !Number.isNaN(clock)) this.follow(clock);
    return response;
  };

  /** Follows a sandbox's clock; differences of a few seconds come from the way. */
  private follow(clockMs: number): void {
    const skew = Math.round((clockMs - this.now()) / 1000);
    if (Math.abs(skew - this.skewSeconds) > 5) this.skewSeconds = skew;
  }

  private async discover(): Promise<oauth.ServerMetadata> {
    const config = await oauth.discovery(
      new URL(this.options.baseUrl),
      this.options.clientId,
      undefined,
      oauth.None(),
      {
        algorithm: 'oauth2',
        [oauth.customFetch]: this.send,
        execute: this.isInsecure() ? [oauth.allowInsecureRequests] : [],
      },
    );
    return config.serverMetadata();
  }

  private isInsecure(): boolean {
    return this.options.sandbox === true && this.options.baseUrl.startsWith('http://');
  }
}

const isRejected = (outcome: { readonly answer?: unknown; readonly error?: Xs2aError }): boolean =>
  outcome.answer instanceof Response ? outcome.answer.status === 401 : outcome.error?.status !== undefined;

const isTemporary = ({ code, status }: Xs2aError): boolean => code === 'UNREACHABLE' || status === 503;

/**
 * The pause before this request should be repeated, in milliseconds, or 0 if the bank does not say. Undefined if the
 * answer is final. 409 with Retry-After: the bank is still working on the first attempt (contract 2).
 */
const pauseAfter = ({ status, headers }: Response): number | undefined => {
  const retryAfter = headers.get('retry-after');
  if (status !== 503 && !(status === 409 && retryAfter !== null)) return undefined;
  const ms = Number(retryAfter ?? 0) * 1000;
  return Number.isFinite(ms) && ms <= longestPauseMs ? ms : undefined;
};
