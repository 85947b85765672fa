import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { revocationBucket } from '@xs2a/contracts/auth.contract';
import { BucketFollower } from '@xs2a/nats/bucket-follower';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER, STREAMS } from '@xs2a/runtime/tokens';
import { parseJson } from './bucket-values.js';

const prefix = 'grant.';

/**
 * The expiry of the tokens that a value revokes; undefined for a value that was not written by an authorization
 * server.
 */
const expiryIn = (value: string): number | undefined => {
  const expiresAt: unknown = Reflect.get(Object(parseJson(value)), 'expiresAt');
  return typeof expiresAt === 'number' ? expiresAt : undefined;
};

/** Grants whose tokens were revoked before their expiry. Each entry is dropped once the tokens have expired. */
@Injectable()
export class Revocations {
  /** The latest expiry of a grant's tokens in epoch seconds, by grant id. */
  private grants = new Map<string, number>();
  private readonly bucket: BucketFollower;
  private pruneAt = 1000;

  constructor(
    @Inject(STREAMS) nats: NatsConnection,
    @Inject(LOGGER) logger: Logger,
    private readonly clock: Clock,
  ) {
    this.bucket = new BucketFollower({
      nats,
      logger,
      bucket: revocationBucket,
      onAll: (entries) => {
        const known = this.grants;
        this.grants = new Map();
        for (const [key, value] of entries) {
          const grant = key.slice(prefix.length);
          const expiresAt = known.get(grant);
          if (expiresAt !== undefined) this.grants.set(grant, expiresAt);
          this.learn(key, value);
        }
      },
      // The caller that revoked a token may use it immediately afterwards: it is already rejected here,
      // before the revocation has been written to the bucket.
      onSaid: (key, value) => this.learn(key, value),
      onChange: (key, value) => {
        if (value === undefined) this.grants.delete(key.slice(prefix.length));
        else this.learn(key, value);
      },
    });
  }

  start(): void {
    this.bucket.start();
  }

  stop(): void {
    this.bucket.stop();
  }

  get isLoaded(): boolean {
    return this.bucket.isLoaded;
  }

  isRevoked(grantId: string): boolean {
    return this.grants.has(grantId);
  }

  private learn(key: string, value: string): void {
    if (!key.startsWith(prefix)) return;
    const expiresAt = expiryIn(value);
    const now = this.clock.nowMs() / 1000;
    if (expiresAt === undefined || expiresAt <= now) return;
    this.grants.set(key.slice(prefix.length), expiresAt);
    if (this.grants.size < this.pruneAt) return;
    for (const [grant, end] of this.grants) if (end <= now) this.grants.delete(grant);
    this.pruneAt = Math.max(1000, this.grants.size * 2);
  }
}
