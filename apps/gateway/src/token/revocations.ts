import { revocationBucket } from '@xs2a/contracts/auth.contract';
import type { Clock } from '@xs2a/runtime/clock';
import { KvWatch, type KvWatchOptions } from './kv-watch.js';

const prefix = 'grant.';

/** Grants whose tokens are dead although they have not expired; each is forgotten once they have. */
export class Revocations {
  /** Epoch seconds until which a token of the grant could live, by grant id. */
  private readonly grants = new Map<string, number>();
  private readonly watch: KvWatch;
  private pruneAt = 1000;

  constructor(
    options: Pick<KvWatchOptions, 'nats' | 'logger'>,
    private readonly clock: Clock,
  ) {
    this.watch = new KvWatch({
      ...options,
      bucket: revocationBucket,
      onEntry: (key, value) => this.learn(key, value),
    });
  }

  start(): void {
    this.watch.start();
  }

  stop(): void {
    this.watch.stop();
  }

  get isLoaded(): boolean {
    return this.watch.isLoaded;
  }

  isRevoked(grantId: string): boolean {
    return this.grants.has(grantId);
  }

  private learn(key: string, value: string): void {
    if (!key.startsWith(prefix)) return;
    const { expiresAt } = JSON.parse(value) as { readonly expiresAt: number };
    const now = this.clock.nowMs() / 1000;
    if (expiresAt <= now) return;
    this.grants.set(key.slice(prefix.length), expiresAt);
    if (this.grants.size < this.pruneAt) return;
    for (const [grant, end] of this.grants) if (end <= now) this.grants.delete(grant);
    this.pruneAt = Math.max(1000, this.grants.size * 2);
  }
}
