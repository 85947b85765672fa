import {
  ConfigError,
  type ConfigOf,
  coreBankConfig,
  httpConfig,
  optional,
  sharedSecrets,
  text,
  url,
} from '@xs2a/runtime/config';
import { portalConfig } from '@xs2a/runtime/portal/portal-config';

/** The portal's settings, in addition to those of every service. */
export const config = {
  ...httpConfig,
  ...portalConfig,
  /** `nats`: the bank's own core system has the customers, and the start page lists none. */
  CORE_BANK: coreBankConfig.CORE_BANK,
  /** The people and TPPs with which a new sandbox starts; the start page lists them. */
  SANDBOX_FIXTURES: optional(text()),
  /** The address at which the workspace calls the API; default: BASE_URL. */
  GATEWAY_URL: optional(url()),
  /** Encrypts the cookie of the workspace, the first of several. Needed where PORTAL is sandbox. */
  PORTAL_SECRET: optional(sharedSecrets()),
};

export type PortalConfig = ConfigOf<typeof config>;

/** True if the portal has a workspace: in a sandbox whose bank is ours, because only it has the endpoints below `/sandbox`. */
export const hasWorkspace = ({ PORTAL, CORE_BANK }: Pick<PortalConfig, 'PORTAL' | 'CORE_BANK'>): boolean =>
  PORTAL === 'sandbox' && CORE_BANK !== 'nats';

/** The secrets of the workspace's cookie. Throws {@link ConfigError} if there is none. */
export const workspaceSecrets = ({
  PORTAL_SECRET,
}: Pick<PortalConfig, 'PORTAL_SECRET'>): readonly string[] => {
  if (PORTAL_SECRET !== undefined) return PORTAL_SECRET;
  throw new ConfigError(['PORTAL_SECRET is missing: the workspace needs it, because PORTAL is sandbox']);
};
