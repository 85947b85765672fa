import { Provider } from 'oidc-provider';
import { ModelAdapter, type ModelParts, type ModelRow } from './model-adapter.js';

/** How long after its first use a refresh token may be sent again, in milliseconds (contract 4). */
const repeatMs = 60_000;

export interface RefreshTokenParts extends ModelParts {
  /** True if the client of this request has authenticated, so it is not a public client. */
  readonly isAuthenticated: () => boolean;
}

/**
 * Rotating refresh tokens. The response to the first use may have been lost, so for one minute the same client
 * gets a new pair for the same token each time it asks. After that, the token counts as reused.
 *
 * The provider compares the client, and for a public client the DPoP key, with those of the token. A TPP never
 * changes its authentication method (tpp-registry.ts), so it has authenticated as at the first use. A public
 * client whose token is not bound to a key has no such window (RFC 9700 §4.14).
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

/** True if the client of the request that the provider is handling has authenticated. */
export const isClientAuthenticated = (): boolean => {
  const method = Provider.ctx?.oidc?.client?.clientAuthMethod;
  return method !== undefined && method !== 'none';
};
