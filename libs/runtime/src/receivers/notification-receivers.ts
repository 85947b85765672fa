import { isLoopbackHost, isPrivateHost } from './public-address.js';

/** Where notifications may be sent (contract 11). */
export interface ReceiverRules {
  /** True for a sandbox that only this machine can reach; http, every address and every port are then allowed. */
  readonly anywhere: boolean;
  /** Ports that are allowed in all other cases. */
  readonly ports: readonly number[];
}

export const receiverRules = (settings: {
  readonly SANDBOX: boolean;
  readonly BASE_URL: string;
  readonly NOTIFICATION_PORTS?: readonly number[];
}): ReceiverRules => ({
  anywhere: settings.SANDBOX && isLoopbackHost(new URL(settings.BASE_URL).hostname),
  ports: [443, ...(settings.NOTIFICATION_PORTS ?? [])],
});

/**
 * Returns the reason why nothing may be sent to this URL, as far as the URL itself shows. Undefined means that its
 * host must still be resolved and checked.
 */
export const receiverProblem = (url: URL, { anywhere, ports }: ReceiverRules): string | undefined => {
  if (anywhere) return /^https?:$/.test(url.protocol) ? undefined : 'the address is neither https nor http';
  if (url.protocol !== 'https:') return 'the address is not https';
  if (!ports.includes(Number(url.port === '' ? 443 : url.port))) return 'the port is not allowed';
  return isPrivateHost(url.hostname) ? 'the host has an address that is not public' : undefined;
};
