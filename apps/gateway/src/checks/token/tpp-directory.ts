import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { type TppRecord, tppBucket } from '@xs2a/contracts/auth.contract';
import { BucketFollower } from '@xs2a/nats/bucket-follower';
import type { Logger } from '@xs2a/observability/logger';
import { LOGGER, STREAMS } from '@xs2a/runtime/tokens';
import { parseJson } from './bucket-values.js';

/** All TPPs registered with the bank, kept up to date by the authorization server through a key-value bucket. */
@Injectable()
export class TppDirectory {
  private tpps = new Map<string, TppRecord>();
  private readonly bucket: BucketFollower;

  constructor(@Inject(STREAMS) nats: NatsConnection, @Inject(LOGGER) logger: Logger) {
    this.bucket = new BucketFollower({
      nats,
      logger,
      bucket: tppBucket,
      onAll: (entries) => {
        const known = this.tpps;
        this.tpps = new Map();
        for (const [clientId, value] of entries) {
          const record = parseRecord(clientId, value) ?? known.get(clientId);
          if (record !== undefined) this.tpps.set(clientId, record);
        }
      },
      onChange: (clientId, value) => {
        if (value === undefined) this.tpps.delete(clientId);
        else this.learn(clientId, value);
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

  find(clientId: string): TppRecord | undefined {
    return this.tpps.get(clientId);
  }

  /** Reads the record of a TPP that may have just registered directly from the bucket. */
  async refresh(clientId: string): Promise<TppRecord | undefined> {
    const value = await this.bucket.readKey(clientId);
    if (value !== undefined) this.learn(clientId, value);
    return this.tpps.get(clientId);
  }

  private learn(clientId: string, value: string): void {
    const record = parseRecord(clientId, value);
    if (record !== undefined) this.tpps.set(clientId, record);
  }
}

/**
 * Parses a TPP's record. Returns undefined for a value that was not written by an authorization server; the
 * previous record of the TPP then stays in use.
 */
const parseRecord = (clientId: string, value: string): TppRecord | undefined => {
  const found = parseJson(value);
  const { clientId: named, status, roles } = Object(found) as Readonly<Record<string, unknown>>;
  const isRecord =
    named === clientId && (status === 'active' || status === 'blocked') && Array.isArray(roles);
  return isRecord ? (found as TppRecord) : undefined;
};
