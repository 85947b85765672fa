import { Inject, Injectable } from '@nestjs/common';
import type { GrantCounts } from '@xs2a/contracts/auth.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import { PROFILE } from '@xs2a/runtime/tokens';
import { Clock } from '@xs2a/runtime/clock';
import type { UserScope } from './scopes.js';
import { TokenTransactions } from '../storage/token-transaction.js';

/**
 * A PSU's grant: the TPP, the scopes, and the consent. It is the only source of the user scopes and consent ids in
 * tokens.
 */
export interface GrantBinding {
  readonly grantId: string;
  readonly clientId: string;
  readonly psuId: string;
  readonly scope: UserScope;
  /** Always present for PSP_AI, never for PSP_IC. */
  readonly consentId?: string;
}
interface BindingRow {
  readonly client_id: string;
  readonly psu_id: string;
  readonly scope: UserScope;
  readonly consent_id: string | null;
}

@Injectable()
export class GrantBindings {
  constructor(
    private readonly database: TokenTransactions,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'refreshTokenSeconds'>,
  ) {}

  async add(binding: GrantBinding): Promise<void> {
    const maxLifetimeSeconds = this.profile.refreshTokenSeconds + 7200;
    const expiresAt = new Date(this.clock.nowMs() + maxLifetimeSeconds * 1000);
    await this.database.query({
      name: 'binding-add',
      text: `INSERT INTO grant_binding (grant_id, client_id, psu_id, scope, consent_id, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6)`,
      values: [
        binding.grantId,
        binding.clientId,
        binding.psuId,
        binding.scope,
        binding.consentId ?? null,
        expiresAt,
      ],
    });
  }

  /** Counts the grants of a TPP that have not expired, by scope. Revocation removes them. */
  async count(clientId: string): Promise<GrantCounts> {
    const { rows } = await this.database.query<{ readonly scope: UserScope; readonly grants: number }>({
      name: 'binding-count',
      text: `SELECT scope, count(*)::int AS grants FROM grant_binding
             WHERE client_id = $1 AND expires_at > $2 GROUP BY scope`,
      values: [clientId, new Date(this.clock.nowMs())],
    });
    const counts = { PSP_AI: 0, PSP_IC: 0 };
    for (const { scope, grants } of rows) counts[scope] = grants;
    return counts;
  }

  async find(grantId: string): Promise<GrantBinding | undefined> {
    const { rows } = await this.database.query<BindingRow>({
      name: 'binding-find',
      text: 'SELECT client_id, psu_id, scope, consent_id FROM grant_binding WHERE grant_id = $1',
      values: [grantId],
    });
    const [row] = rows;
    if (row === undefined) return undefined;
    return {
      grantId,
      clientId: row.client_id,
      psuId: row.psu_id,
      scope: row.scope,
      consentId: row.consent_id ?? undefined,
    };
  }
}
