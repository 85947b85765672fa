import { type PortalMode, portalModes } from '@xs2a/contracts/portal/portal-paths';
import { choice, ConfigError, optional, publicUrl, type Setting } from '../config.js';

const mode = (): Setting<PortalMode> => ({
  ...choice(portalModes)('off'),
  outsideSandbox: { form: 'off or documents', holds: (value) => value !== 'sandbox' },
});

/** The settings that the gateway and the developer portal share. */
export const portalConfig = {
  /** The public origin that is used in links and tokens. */
  BASE_URL: publicUrl(),
  /** The origin of the PSU's pages if they have a separate host (contract 1); default: BASE_URL. */
  PAGES_URL: optional(publicUrl()),
  /**
   * The developer portal: `off`, `documents`, or `sandbox`, which also shows the sandbox's people and clock. `sandbox` needs
   * SANDBOX; `documents` outside the sandbox needs a host of its own for the PSU's pages (PAGES_URL).
   */
  PORTAL: mode(),
  /**
   * `fixed`: nobody can move the sandbox's clock (`POST /sandbox/clock` is 403), for a sandbox that many TPPs share.
   * The calls that settle and expire work in both cases. With `fixed`, the TPPs of the fixtures cannot sign in to the
   * workspace. Must have the same value in the gateway and the portal.
   */
  SANDBOX_CLOCK: choice(['movable', 'fixed'])('movable'),
};

/**
 * Returns what the developer portal shows. Throws {@link ConfigError} if, outside the sandbox, it would share its origin with
 * the PSU's pages.
 */
export const readPortal = ({
  SANDBOX,
  PORTAL,
  BASE_URL,
  PAGES_URL = BASE_URL,
}: {
  readonly SANDBOX: boolean;
  readonly PORTAL: PortalMode;
  readonly BASE_URL: string;
  readonly PAGES_URL?: string | undefined;
}): PortalMode => {
  const isApart = new URL(PAGES_URL).origin !== new URL(BASE_URL).origin;
  if (PORTAL === 'off' || SANDBOX || isApart) return PORTAL;
  throw new ConfigError([
    'PAGES_URL must be another origin than BASE_URL where SANDBOX is false and PORTAL is documents: the pages on which PSUs sign share no origin with documents',
  ]);
};
