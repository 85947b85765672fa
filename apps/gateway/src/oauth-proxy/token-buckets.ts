import { LRUCache } from 'lru-cache';

export interface BucketSize {
  /** Max requests in a burst. */
  readonly burst: number;
  readonly perSecond: number;
}
interface Bucket {
  tokens: number;
  atMs: number;
}

/** Max clients tracked; a new one replaces the client with the oldest request. */
const maxClients = 20_000;
/** A refused client is told to retry when it can take this many steps again. */
const stepsAfterWaiting = 10;

/** Token buckets, one per client: each admits a burst, and then a number of requests per second. */
export class TokenBuckets {
  private readonly buckets = new LRUCache<string, Bucket>({ max: maxClients });

  constructor(private readonly clock: { nowMs(): number }) {}

  /** Takes a token. Returns undefined if there was one, otherwise the number of seconds to wait, at least 1. */
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
