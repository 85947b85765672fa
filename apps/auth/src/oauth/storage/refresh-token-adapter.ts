import { Provider } from 'oidc-provider';
import { ModelAdapter, type ModelParts, type ModelRow } from './model-adapter.js';

/** How long a refresh token may be sent again after its first use, in milliseconds (contract 4). */
const repeatMs = 60_000;

export interface RefreshTokenParts extends ModelParts {
  /** True if the client of this request has authenticated, which means that it is not a public client. */
  readonly isAuthenticated: () => boolean;
}

/**
 * Rotating refresh tokens. The response to the first use may have been lost, so for one minute the same client
 * receives a new pair for the same token each time it asks. After that, the token counts as reused.
 *
 * The provider compares the client with that of the token and, for a public client, also the DPoP key. A TPP never
 * changes its authentication method (tpp-registry.ts), so it has authenticated in the same way as at the first
 * use. For a public client whose token is not bound to a key, a repeat is never allowed (RFC 9700 §4.14).
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

/** True if the client of the request that the provider is currently handling has authenticated. */
export const isClientAuthenticated = (): boolean => {
  const method = Provider.ctx?.oidc?.client?.clientAuthMethod;
  return method !== undefined && method !== 'none';
};
