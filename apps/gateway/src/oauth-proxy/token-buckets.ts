import { LRUCache } from 'lru-cache';

export interface BucketSize {
  /** The maximum number of requests in a burst. */
  readonly burst: number;
  readonly perSecond: number;
}
interface Bucket {
  tokens: number;
  atMs: number;
}

/** The maximum number of clients tracked; beyond it, a new client replaces the one whose last request is oldest. */
const maxClients = 20_000;
/** A refused client is asked to retry once this many steps are possible again. */
const stepsAfterWaiting = 10;

/** Token buckets, one per client. Each admits a burst, and then a fixed number of requests per second. */
export class TokenBuckets {
  private readonly buckets = new LRUCache<string, Bucket>({ max: maxClients });

  constructor(private readonly clock: { nowMs(): number }) {}

  /** Takes a token. Returns undefined if one was available, otherwise the number of seconds to wait (at least 1). */
  take(client: string, { burst, perSecond }: BucketSize): number | undefined {
    const nowMs = this.clock.nowMs();
    const bucket = this.buckets.get(client) ?? { tokens: burst, atMs: nowMs };
    const refilled = (Math.max(0, nowMs - bucket.atMs) / 1000) * perSecond;
    bucket.tokens = Math.min(burst, bucket.tokens + refilled);
    bucket.atMs = nowMs;
    this.buckets.set(client, bucket);
    if (bucket.tokens < 1) return Math.ceil((stepsAfterWaiting - bucket.tokens) / perSecond);
    bucket.tokens -= 1;
    return undefined;
  }
}
