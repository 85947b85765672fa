import type { Logger } from '@xs2a/observability/logger';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import { setTimeout as pause } from 'node:timers/promises';

export interface KeySetOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Milliseconds that pass between two fetches at least. */
  readonly minPauseMs?: number;
  /** Milliseconds after which they are fetched anyway, so that a key that was withdrawn is forgotten. */
  readonly everyMs?: number;
  readonly fetch?: (url: string, options: { readonly signal: AbortSignal }) => Promise<Response>;
}

/**
 * The authorization server's public keys: fetched at start, once a minute, and when a token names another one, then at most
 * once a second however many strangers send such tokens. New keys are so known without a restart, withdrawn ones forgotten.
 */
export class KeySet {
  private keys = new Map<string, CryptoKey>();
  private fetching: Promise<void> | undefined;
  private fetchedAt = Number.NEGATIVE_INFINITY;
  private failed = true;
  private readonly stopping = new AbortController();

  constructor(private readonly options: KeySetOptions) {}

  get isLoaded(): boolean {
    return this.keys.size > 0;
  }

  /** There are keys, and the last time they were asked for they came: one that is not among them does not exist. */
  get isCurrent(): boolean {
    return this.isLoaded && !this.failed;
  }

  /** Fetches until it succeeds, and from time to time. */
  start(): void {
    void (async () => {
      const { signal } = this.stopping;
      while (!signal.aborted) {
        await this.refresh();
        const next = this.isLoaded ? (this.options.everyMs ?? 60_000) : 250;
        // Stopped meanwhile: the loop ends.
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

  /** The key of this id; undefined when the authorization server has none. */
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
      const get = this.options.fetch ?? fetch;
      const response = await get(this.options.url, { signal: AbortSignal.timeout(1500) });
      const { keys } = (await response.json()) as { readonly keys: readonly JWK[] };
      const usable = keys.filter((key) => key.kid !== undefined && key.kty === 'EC' && key.crv === 'P-256');
      const imported = await Promise.all(
        usable.map(async (key): Promise<[string, CryptoKey]> => [
          key.kid ?? '',
          (await importJWK({ ...key, alg: 'ES256' })) as CryptoKey,
        ]),
      );
      if (imported.length > 0) this.keys = new Map(imported);
      this.failed = imported.length === 0;
    } catch (error) {
      this.failed = true;
      this.options.logger.debug({ error }, 'the keys of the authorization server cannot be read now');
    }
  }
}
