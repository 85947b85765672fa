import { type ConfigOf, coreBankConfig, httpConfig, optional, text } from '@xs2a/runtime/config';
import { portalConfig } from '@xs2a/runtime/portal/portal-config';

/** The portal's settings, in addition to those of every service. */
export const config = {
  ...httpConfig,
  ...portalConfig,
  /** `nats`: the bank's own core system has the customers, and the start page lists none. */
  CORE_BANK: coreBankConfig.CORE_BANK,
  /** The people and TPPs with which a new sandbox starts; the start page lists them. */
  SANDBOX_FIXTURES: optional(text()),
};

export type PortalConfig = ConfigOf<typeof config>;
