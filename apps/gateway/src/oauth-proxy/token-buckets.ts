import { LRUCache } from 'lru-cache';

export interface BucketSize {
  /** Max requests at once. */
  readonly burst: number;
  readonly perSecond: number;
}
interface Bucket {
  tokens: number;
  atMs: number;
}

/** Max clients remembered; a further one replaces the client that has not been seen for longest. */
const maxClients = 20_000;
/** A refused client is asked to come back when it can take so many steps again. */
const stepsAfterWaiting = 10;

/** Token buckets, one for each client: a burst is let through, and then so many requests a second. */
export class TokenBuckets {
  private readonly buckets = new LRUCache<string, Bucket>({ max: maxClients });

  constructor(private readonly clock: { nowMs(): number }) {}

  /** Takes a token. Undefined: there was one; otherwise so many seconds to wait, at least 1. */
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
