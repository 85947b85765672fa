import { Provider } from 'oidc-provider';
import { ModelAdapter, type ModelParts, type ModelRow } from './model-adapter.js';

/** For how long after its first use a refresh token may be sent again, in milliseconds (contract 4). */
const repeatMs = 60_000;

export interface RefreshTokenParts extends ModelParts {
  /** Has the client of this request proven who it is, so that it is no public client? */
  readonly isAuthenticated: () => boolean;
}

/**
 * Refresh tokens that are rotated. The answer to the first use may have been lost, so for a minute the same client gets a new
 * pair for the same token, as often as it asks. Later the token was reused.
 *
 * The provider compares the client, and for a public client the DPoP key, with those of the token. A TPP keeps its method of
 * authentication for good (tpp-registry.ts), so it has authenticated as at the first use. A public client whose token is bound
 * to no key has no window (RFC 9700 §4.14).
 */
export class RefreshTokenAdapter extends ModelAdapter {
  constructor(private readonly refreshParts: RefreshTokenParts) {
    super('RefreshToken', refreshParts);
  }

  protected override isRepeat({ payload, consumed_at: usedAt }: ModelRow): boolean {
    if (usedAt === null || this.parts.clock.nowMs() - usedAt.getTime() > repeatMs) return false;
    return this.refreshParts.isAuthenticated() || payload.jkt !== undefined;
  }
}

/** Has the client of the request that the provider works on proven who it is? */
export const isClientAuthenticated = (): boolean => {
  const method = Provider.ctx?.oidc?.client?.clientAuthMethod;
  return method !== undefined && method !== 'none';
};
