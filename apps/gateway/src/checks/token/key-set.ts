import { gatewaySecretHeader } from '@xs2a/contracts/oauth-paths';
import type { Logger } from '@xs2a/observability/logger';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import { setTimeout as pause } from 'node:timers/promises';

export interface KeySetOptions {
  /** The address of the authorization server. */
  readonly authUrl: string;
  /** The secret with which the gateway authenticates to the authorization server. */
  readonly gatewaySecret: string;
  /** The issuer required in tokens: the gateway's own BASE_URL. */
  readonly issuer: string;
  readonly logger: Logger;
  /** The minimum pause between two fetches, in milliseconds. */
  readonly minPauseMs?: number;
  /** The keys are fetched at least once in this many milliseconds, so that withdrawn keys are dropped. */
  readonly everyMs?: number;
  readonly fetch?: (
    url: string,
    options: { readonly signal: AbortSignal; readonly headers: Record<string, string> },
  ) => Promise<Response>;
}

/**
 * The authorization server's public keys and its issuer. They are fetched at startup, once a minute, and when a
 * token names an unknown key, but then at most once a second. New keys are thus accepted and withdrawn ones
 * dropped without a restart.
 */
export class KeySet {
  private keys = new Map<string, CryptoKey>();
  private fetching: Promise<void> | undefined;
  private fetchedAt = Number.NEGATIVE_INFINITY;
  private failed = true;
  private theirIssuer: string | undefined;
  private said: string | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: KeySetOptions) {}

  private get isLoaded(): boolean {
    return this.keys.size > 0;
  }

  /**
   * The reason why no token can be verified, in a form that may be made public; undefined if tokens can be
   * verified.
   */
  get problem(): string | undefined {
    if (!this.isLoaded) return 'the keys of the authorization server are not loaded';
    const { issuer } = this.options;
    if (this.theirIssuer === issuer) return undefined;
    return `BASE_URL is ${issuer}, but the authorization server uses ${this.theirIssuer}: every token is rejected`;
  }

  /** True if keys are loaded and the last fetch succeeded: a key that is not among them does not exist. */
  get isCurrent(): boolean {
    return this.isLoaded && !this.failed;
  }

  /** Retries fetching the keys until the first success, then refreshes them periodically. */
  start(): void {
    void (async () => {
      const { signal } = this.stopping;
      while (!signal.aborted) {
        await this.refresh();
        const next = this.problem === undefined ? (this.options.everyMs ?? 60_000) : 250;
        // If the key set was stopped in the meantime, the loop ends.
        await pause(next, undefined, { signal, ref: false }).catch(() => undefined);
      }
    })();
  }

  stop(): void {
    this.stopping.abort();
  }

  has(keyId: string): boolean {
    return this.keys.has(keyId);
  }

  /** Returns the key with this id, or undefined if the authorization server has no such key. */
  async find(keyId: string): Promise<CryptoKey | undefined> {
    const known = this.keys.get(keyId);
    if (known !== undefined) return known;
    await this.refresh();
    return this.keys.get(keyId);
  }

  private async refresh(): Promise<void> {
    if (this.fetching !== undefined) return this.fetching;
    if (performance.now() - this.fetchedAt < (this.options.minPauseMs ?? 1000) && this.isLoaded)
      return undefined;
    this.fetching = this.load().finally(() => {
      this.fetchedAt = performance.now();
      this.fetching = undefined;
    });
    return this.fetching;
  }

  private async load(): Promise<void> {
    try {
      const [keys, issuer] = await Promise.all([this.readKeys(), this.readIssuer()]);
      if (keys.size === 0) throw new Error('the authorization server publishes no P-256 key');
      this.keys = keys;
      this.theirIssuer = issuer;
      this.failed = false;
      this.say();
    } catch (error) {
      this.failed = true;
      this.say(error);
    }
  }

  /** Logs a change in the outcome of the last fetch. Keys that are loaded remain valid while the server is down. */
  private say(error?: unknown): void {
    const { logger } = this.options;
    const problem =
      error === undefined
        ? this.problem
        : `the keys of the authorization server cannot be read: ${String(error)}`;
    if (problem === this.said) return;
    // An error thrown by `fetch` has the actual reason in its `cause`.
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    if (problem !== undefined) logger.warn(error === undefined ? {} : { error: cause }, problem);
    else logger.info('loaded the keys of the authorization server');
    this.said = problem;
  }

  private async readKeys(): Promise<Map<string, CryptoKey>> {
    const { keys } = (await this.read('/oauth2/jwks')) as { readonly keys: readonly JWK[] };
    // A key with a purpose, such as dispute bundles, signs no tokens.
    const usable = keys.filter(
      (key) => key.kid !== undefined && key.kty === 'EC' && key.crv === 'P-256' && !('purpose' in key),
    );
    const imported = usable.map(async (key): Promise<[string, CryptoKey]> => [
      key.kid ?? '',
      (await importJWK({ ...key, alg: 'ES256' })) as CryptoKey,
    ]);
    return new Map(await Promise.all(imported));
  }

  /** RFC 8414. */
  private async readIssuer(): Promise<string> {
    const metadata = await this.read('/.well-known/oauth-authorization-server');
    return (metadata as { readonly issuer: string }).issuer;
  }

  private async read(path: string): Promise<unknown> {
    const get = this.options.fetch ?? fetch;
    const { authUrl, gatewaySecret } = this.options;
    const response = await get(`${authUrl}${path}`, {
      signal: AbortSignal.timeout(1500),
      headers: { [gatewaySecretHeader]: gatewaySecret },
    });
    if (!response.ok) throw new Error(`${path} is answered ${response.status}`);
    return response.json();
  }
}
