import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@xs2a/runtime/tokens';
import { Clock } from '@xs2a/runtime/clock';
import type { Pool } from 'pg';
import { GrantRevocations } from './grant-revocations.js';

/** A PSU's permission for a TPP to ask whether amounts are covered, for all of the PSU's accounts (spec 5.5). */
export interface FundsGrant {
  readonly tppId: string;
  /** The expiry of the grant's last refresh token. @format date-time */
  readonly until: string;
}

/**
 * The grants that PSUs gave for funds confirmation. They are not based on a consent, so the grants themselves are
 * listed and revoked.
 */
@Injectable()
export class FundsGrants {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly revocations: GrantRevocations,
  ) {}

  /** Returns the PSU's valid grants, one per TPP, at most 100. */
  async of(psuId: string): Promise<readonly FundsGrant[]> {
    const { rows } = await this.pool.query<{ client_id: string; until: Date }>({
      name: 'funds-grants-of-psu',
      text: `SELECT b.client_id, max(a.expires_at) AS until
        FROM grant_binding b JOIN oidc_model a ON a.grant_id = b.grant_id
        WHERE b.psu_id = $1 AND b.scope = 'PSP_IC'
          AND a.model = 'RefreshToken' AND a.consumed_at IS NULL AND a.expires_at > $2
        GROUP BY b.client_id ORDER BY b.client_id LIMIT 100`,
      values: [psuId, this.clock.now()],
    });
    return rows.map(({ client_id: tppId, until }) => ({ tppId, until: until.toISOString() }));
  }

  /**
   * Revokes all of this PSU's grants to this TPP. Returns whether there were any. Access tokens are rejected
   * within a second.
   */
  async withdraw(psuId: string, tppId: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ grant_id: string }>({
      name: 'funds-grants-to-withdraw',
      text: `SELECT grant_id FROM grant_binding WHERE psu_id = $1 AND client_id = $2 AND scope = 'PSP_IC'`,
      values: [psuId, tppId],
    });
    for (const { grant_id: grantId } of rows) await this.revocations.revoke(grantId);
    return rows.length > 0;
  }
}
