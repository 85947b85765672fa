import type { NatsConnection } from '@nats-io/transport-node';
import { revocationBucket } from '@xs2a/contracts/auth.contract';
import type { Logger } from '@xs2a/observability/logger';
import { Batches } from '@xs2a/postgres/batches';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import type { Pool } from 'pg';
import { BucketMirror } from '../../bucket-mirror.js';

interface Parts {
  readonly pool: Pool;
  readonly nats: NatsConnection;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Max remaining lifetime of an access token of a revoked grant, in seconds. */
  readonly accessTokenSeconds: number;
}

/** Max revocations that are forgotten, and taken out of the bucket, at once. */
const maxForgotten = 1000;

/** Ends grants: first in the database, then for every gateway (architecture, "The edge"). */
export class GrantRevocations {
  private readonly mirror: BucketMirror;

  constructor(private readonly parts: Parts) {
    const { nats, logger } = parts;
    this.mirror = new BucketMirror({
      nats,
      logger,
      bucket: revocationBucket,
      entries: (keys) => this.entries(keys),
    });
  }

  start(): void {
    this.mirror.start();
  }

  stop(): void {
    this.mirror.stop();
  }

  /** The grant's codes and refresh tokens are gone, and gateways refuse its access tokens. The consent stays. */
  async revoke(grantId: string): Promise<void> {
    const expiresAt = new Date(this.parts.clock.nowMs() + (this.parts.accessTokenSeconds + 60) * 1000);
    await inTransaction(this.parts.pool, async (client) => {
      await client.query('DELETE FROM artefact WHERE grant_id = $1', [grantId]);
      await client.query('DELETE FROM grant_binding WHERE grant_id = $1', [grantId]);
      await client.query(
        'INSERT INTO revocation (grant_id, expires_at) VALUES ($1, $2) ON CONFLICT (grant_id) DO NOTHING',
        [grantId, expiresAt],
      );
    });
    await this.mirror.publish(toKey(grantId));
  }

  /** Forgets revocations whose access tokens have all expired by themselves. */
  async sweep(): Promise<void> {
    const now = new Date(this.parts.clock.nowMs());
    await new Batches(maxForgotten).all(async (limit) => {
      const { rows } = await this.parts.pool.query<{ grant_id: string }>({
        name: 'revocation-sweep',
        text: `DELETE FROM revocation WHERE expires_at <= $1 AND ctid = ANY (ARRAY(
            SELECT ctid FROM revocation WHERE expires_at <= $1 LIMIT $2))
          RETURNING grant_id`,
        values: [now, limit],
      });
      await this.mirror.publish(...rows.map((row) => toKey(row.grant_id)));
      return rows.length;
    });
  }

  private async entries(keys?: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const { rows } = await this.parts.pool.query<{ grant_id: string; expires_at: Date }>({
      name: 'revocation-entries',
      text: 'SELECT grant_id, expires_at FROM revocation WHERE $1::text[] IS NULL OR grant_id = ANY ($1)',
      values: [keys?.map(parseGrantId) ?? null],
    });
    return new Map(rows.map((row) => [toKey(row.grant_id), toValue(row.expires_at)]));
  }
}

const prefix = 'grant.';
const toKey = (grantId: string): string => prefix + grantId;
const parseGrantId = (key: string): string => key.slice(prefix.length);
const toValue = (expiresAt: Date): { readonly expiresAt: number } => ({
  expiresAt: Math.ceil(expiresAt.getTime() / 1000),
});
