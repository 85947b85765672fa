import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import { Batches, settleEach } from '@xs2a/postgres/batches';
import { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { CONFIG, LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import type { AuthConfig } from './config.js';
import { GrantRevocations } from './oauth/grants/grant-revocations.js';
import { interactionSeconds } from './oauth/provider.js';

const dayMs = 24 * 60 * 60 * 1000;
/**
 * The maximum number of stored PSU-IDs that never signed in, about 10 MB. An attacker who wants a failure count to
 * be dropped must make up this many PSU-IDs, which takes longer than the lock that the count would cause.
 */
const maxUnknownPsus = 100_000;
/** The maximum number of rows removed by one statement. */
const maxRemoved = 5000;

export interface ExpiryParts {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly revocations: Pick<GrantRevocations, 'sweep'>;
  readonly kept: Pick<AuthConfig, 'PSU_SIGN_IN_DAYS'>;
}

/**
 * Removes expired rows. Tokens and codes are kept for one more day, so that a late refresh token is rejected as
 * expired. Anybody can cause authorization requests, and failures for made-up PSU-IDs, to be stored, so these are
 * removed earlier: an interaction when it expires, a pushed request once no interaction that it started can still
 * be open (its row shows whether it was decided), and such failures after a day. A customer's failure count is
 * removed after 30 days without failures, as are the times of failures, the chosen language `PSU_SIGN_IN_DAYS` after the last sign-in, the PSU-ID
 * of a lifted lock the same number of days after that, and an idempotency key after 24 hours.
 */
export const removeExpired = async (
  { pool, clock, revocations, kept }: ExpiryParts,
  maxUnknown = maxUnknownPsus,
): Promise<void> => {
  const now = new Date(clock.nowMs());
  const [yesterday, monthAgo, lastSignIn] = [1, 30, kept.PSU_SIGN_IN_DAYS].map(
    (days) => new Date(clock.nowMs() - days * dayMs),
  );
  const requestsBefore = new Date(clock.nowMs() - interactionSeconds * 1000);
  const removals: readonly Removal[] = [
    ['oidc_model', 'expires_at < $2', [yesterday]],
    ['oidc_model', "expires_at < $2 AND model = 'Interaction'", [now]],
    ['oidc_model', "expires_at < $2 AND model = 'PushedAuthorizationRequest'", [requestsBefore]],
    ['grant_binding', 'expires_at < $2', [yesterday]],
    ['page_session', 'expires_at < $2', [now]],
    ['challenge', 'expires_at < $2', [yesterday]],
    ['psu_sca', 'language IS NULL AND changed_at < $2', [monthAgo]],
    ['psu_sca', 'changed_at < $2', [lastSignIn]],
    [
      'psu_sca',
      `NOT is_known AND (locked_until IS NULL OR locked_until < $2) AND (changed_at < $3
        OR psu_id IN (SELECT psu_id FROM psu_sca WHERE NOT is_known ORDER BY changed_at DESC OFFSET $4))`,
      [now, yesterday, maxUnknown],
    ],
    ['known_browser', 'changed_at < $2', [monthAgo]],
    ['idempotency_key', 'expires_at <= $2', [now]],
  ];
  await settleEach([
    ...removals.map((removal) => async () => new Batches(maxRemoved).all(removing(pool, removal))),
    async () => new Batches(maxRemoved).all(forgettingUnlocked(pool, lastSignIn)),
    async () => new Batches(maxRemoved).all(forgettingFailures(pool, monthAgo)),
    async () => revocations.sweep(),
  ]);
};

/** A table, the condition for the rows to remove, and the values from $2 on. */
type Removal = readonly [table: string, due: string, values: readonly unknown[]];

/**
 * Returns the statement that removes rows. It skips rows that are in use or that another instance is removing;
 * those are left for the next round.
 */
const removing =
  (pool: Pool, [table, due, values]: Removal) =>
  async (limit: number): Promise<number> => {
    const { rowCount } = await pool.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${due} LIMIT $1 FOR UPDATE SKIP LOCKED))`,
      [limit, ...values],
    );
    return rowCount ?? 0;
  };

/** Returns the statement that removes the PSU-ID from locks that were lifted before a time. */
const forgettingUnlocked =
  (pool: Pool, before: Date | undefined) =>
  async (limit: number): Promise<number> => {
    const { rowCount } = await pool.query(
      `UPDATE sca_unlock SET psu_id = NULL WHERE unlock_id = ANY (ARRAY(
         SELECT unlock_id FROM sca_unlock WHERE psu_id IS NOT NULL AND at < $2 LIMIT $1 FOR UPDATE SKIP LOCKED))`,
      [limit, before],
    );
    return rowCount ?? 0;
  };

/** Returns the statement that removes the times of failures of PSUs who have had none since a time. */
const forgettingFailures =
  (pool: Pool, before: Date | undefined) =>
  async (limit: number): Promise<number> => {
    const { rowCount } = await pool.query(
      `UPDATE psu_sca SET failed_at = '{}' WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM psu_sca WHERE failed_at <> '{}' AND changed_at < $2 LIMIT $1 FOR UPDATE SKIP LOCKED))`,
      [limit, before],
    );
    return rowCount ?? 0;
  };

/** Runs {@link removeExpired} once a minute and whenever the clock moves. */
@Injectable()
export class ExpiredRows implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    @Inject(POOL) pool: Pool,
    clock: Clock,
    @Inject(LOGGER) logger: Logger,
    revocations: GrantRevocations,
    @Inject(CONFIG) kept: ExpiryParts['kept'],
  ) {
    this.sweep = new Sweep({
      name: 'expired-rows',
      everyMs: 60_000,
      clock,
      logger,
      run: async () => {
        await removeExpired({ pool, clock, revocations, kept });
        return 0;
      },
    });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }
}
