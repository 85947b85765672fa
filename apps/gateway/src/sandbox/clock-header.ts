import { clockHeader } from '@xs2a/contracts/clock.contract';
import type { ServiceParts } from '@xs2a/runtime/service-parts';

type Parts = Pick<ServiceParts, 'clock'> & { readonly config: Pick<ServiceParts['config'], 'SANDBOX'> };

/**
 * The header with the sandbox's time, for an answer that is sent now (contract 13). Outside the sandbox, no header.
 */
export const clockHeaders = ({ config, clock }: Parts): Readonly<Record<string, string>> =>
  config.SANDBOX ? { [clockHeader]: clock.now() } : {};
