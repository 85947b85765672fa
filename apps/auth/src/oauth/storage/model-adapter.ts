import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { GrantRevocations } from '../grants/grant-revocations.js';
import { hashHandle } from './handle-hash.js';
import type { TokenTransactions } from './token-transaction.js';

export interface ModelParts {
  readonly database: TokenTransactions;
  readonly clock: Clock;
  readonly revocations: Pick<GrantRevocations, 'revoke'>;
}
export interface ModelRow {
  readonly payload: AdapterPayload;
  readonly grant_id: string | null;
  readonly consumed_at: Date | null;
}

/**
 * Stores codes, refresh tokens, grants and interactions. Handles are stored as hashes and omitted from the
 * payload, so nothing in a copy of the table can be redeemed. If a handle is redeemed several times, exactly one
 * redemption passes `consume`, except for refresh tokens (refresh-token-adapter.ts).
 */
export class ModelAdapter implements Adapter {
  constructor(
    private readonly model: string,
    protected readonly parts: ModelParts,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { jti: _handle, ...kept } = payload;
    const expiresAt = new Date(this.parts.clock.nowMs() + expiresIn * 1000);
    await this.parts.database.query({
      name: 'model-upsert',
      text: `INSERT INTO oidc_model (model, id_hash, grant_id, payload, expires_at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (model, id_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
      values: [this.model, hashHandle(id), this.findGrantId(id, payload), JSON.stringify(kept), expiresAt],
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const row = await this.read(id);
    if (row === undefined) return undefined;
    const { payload, consumed_at: usedAt } = row;
    return {
      ...payload,
      jti: id,
      ...(usedAt === null || this.isRepeat(row) ? {} : { consumed: Math.floor(usedAt.getTime() / 1000) }),
    };
  }

  /** Returns whether a used handle may be used again. Always false unless a subclass overrides it. */
  protected isRepeat(_row: ModelRow): boolean {
    return false;
  }

  /**
   * Consumes the handle. Returns false if the handle does not exist or another request was first. The row keeps
   * the time of the first use.
   */
  protected async take(id: string): Promise<boolean> {
    const { rowCount } = await this.parts.database.query({
      name: 'model-consume',
      text: 'UPDATE oidc_model SET consumed_at = $3 WHERE model = $1 AND id_hash = $2 AND consumed_at IS NULL',
      values: [this.model, hashHandle(id), new Date(this.parts.clock.nowMs())],
    });
    return rowCount === 1;
  }

  /**
   * Consumes the handle. The conditional update lets exactly one of several concurrent requests pass, across any
   * number of instances; the others wait for it and then see the time of its use. A later request counts as a
   * reuse of the handle, unless {@link isRepeat} allows it, and the grant is revoked.
   */
  async consume(id: string): Promise<void> {
    if (await this.take(id)) {
      failpoint('auth.after-consume');
      return;
    }
    const row = await this.read(id);
    if (row !== undefined && this.isRepeat(row)) return;
    const grantId = row?.grant_id;
    if (grantId !== undefined && grantId !== null) await this.revokeByGrantId(grantId);
    throw new errors.InvalidGrant('already used');
  }

  async destroy(id: string): Promise<void> {
    if (this.model === 'Grant') return this.revokeByGrantId(id);
    await this.parts.database.query({
      name: 'model-destroy',
      text: 'DELETE FROM oidc_model WHERE model = $1 AND id_hash = $2',
      values: [this.model, hashHandle(id)],
    });
  }

  /**
   * During a transaction of the token endpoint, the revocation is postponed until after it, so that no rollback
   * can undo it.
   */
  async revokeByGrantId(grantId: string): Promise<void> {
    if (!this.parts.database.noteReuse(grantId)) await this.parts.revocations.revoke(grantId);
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  private async read(id: string): Promise<ModelRow | undefined> {
    const { rows } = await this.parts.database.query<ModelRow>({
      name: 'model-find',
      text: 'SELECT payload, grant_id, consumed_at FROM oidc_model WHERE model = $1 AND id_hash = $2',
      values: [this.model, hashHandle(id)],
    });
    return rows[0];
  }

  private findGrantId(id: string, payload: AdapterPayload): string | null {
    return this.model === 'Grant' ? id : (payload.grantId ?? null);
  }
}

/**
 * The provider's own browser sessions, of which there are none. The PSU is asked again at every authorization
 * (strong customer authentication).
 */
export const noSessions: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};
