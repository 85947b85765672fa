import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { revocationBucket } from '@xs2a/contracts/auth.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Logger } from '@xs2a/observability/logger';
import { Batches } from '@xs2a/postgres/batches';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER, POOL, PROFILE, STREAMS } from '@xs2a/runtime/tokens';
import type { Pool, QueryResult } from 'pg';
import { hashHandle } from '../storage/handle-hash.js';
import { BucketMirror } from '../../bucket-mirror.js';

/**
 * The maximum number of revocations, and of tokens, that are removed at a time. Revocations are removed from both
 * the database and the bucket.
 */
const maxForgotten = 1000;

/** Revokes grants: first in the database, then in all gateways (architecture, "The edge"). */
@Injectable()
export class GrantRevocations {
  private readonly mirror: BucketMirror;
  /** The maximum remaining lifetime of an access token of a revoked grant, in seconds. */
  private readonly accessTokenSeconds: number;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(STREAMS) nats: NatsConnection,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
    @Inject(PROFILE)
    {
      userTokenSeconds,
      applicationTokenSeconds,
    }: Pick<Profile, 'userTokenSeconds' | 'applicationTokenSeconds'>,
  ) {
    this.accessTokenSeconds = Math.max(userTokenSeconds, applicationTokenSeconds);
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

  /**
   * Removes the grant and everything that refers to it: its codes and refresh tokens can no longer be redeemed,
   * and gateways reject its access tokens. The consent remains. A client can create any number of refresh tokens
   * for a grant, and may be redeeming one at this moment, so revocation first writes only a few rows, which no
   * redemption locks. Then it removes the token rows; the sweep removes any that are left.
   */
  async revoke(grantId: string): Promise<void> {
    const expiresAt = new Date(this.clock.nowMs() + (this.accessTokenSeconds + 60) * 1000);
    await inTransaction(this.pool, async (client) => {
      await client.query(`DELETE FROM oidc_model WHERE model = 'Grant' AND id_hash = $1`, [
        hashHandle(grantId),
      ]);
      await client.query('DELETE FROM grant_binding WHERE grant_id = $1', [grantId]);
      await client.query(
        'INSERT INTO revocation (grant_id, expires_at) VALUES ($1, $2) ON CONFLICT (grant_id) DO NOTHING',
        [grantId, expiresAt],
      );
    });
    await this.mirror.publish(toKey(grantId));
    await this.removeTokens([grantId]);
  }

  /** Removes the tokens of revoked grants, and those revocations whose access tokens have all expired. */
  async sweep(): Promise<void> {
    const now = new Date(this.clock.nowMs());
    await this.removeTokensOfRevoked();
    await new Batches(maxForgotten).all(async (limit) => {
      const { rows } = await this.pool.query<{ grant_id: string }>({
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

  private async removeTokensOfRevoked(): Promise<void> {
    const { pool } = this;
    for (let after: string | undefined = ''; after !== undefined;) {
      const { rows }: QueryResult<{ grant_id: string }> = await pool.query({
        name: 'revocation-page',
        text: 'SELECT grant_id FROM revocation WHERE grant_id > $1 ORDER BY grant_id LIMIT $2',
        values: [after, maxForgotten],
      });
      const grantIds = rows.map((row) => row.grant_id);
      if (grantIds.length > 0)
        await new Batches(maxForgotten).all(async (limit) => this.removeTokens(grantIds, limit));
      after = grantIds.at(-1);
    }
  }

  /**
   * Removes tokens and returns the number removed. Rows locked by a redemption in progress are skipped and left
   * for the next run.
   */
  private async removeTokens(grantIds: readonly string[], limit = maxForgotten): Promise<number> {
    const { rowCount } = await this.pool.query({
      name: 'revocation-tokens',
      text: `DELETE FROM oidc_model WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM oidc_model WHERE grant_id = ANY ($1) LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      values: [grantIds, limit],
    });
    return rowCount ?? 0;
  }

  private async entries(keys?: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const { rows } = await this.pool.query<{ grant_id: string; expires_at: Date }>({
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
