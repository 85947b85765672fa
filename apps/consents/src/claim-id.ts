import type { WindowKey } from './access-window.js';

/** Names one counted call: its window and its microsecond. Opaque to those who carry it. */
export const claimIdOf = ({ consentId, endpoint, resourceId }: WindowKey, call: number): string =>
  [consentId, endpoint, resourceId, call].join('/');

/** Undefined: not a claim's name. */
export const claimOf = (claimId: string): { readonly key: WindowKey; readonly call: number } | undefined => {
  const [, consentId, endpoint, resourceId, call] =
    /^([0-9a-f-]{36})\/(accounts|account|balances|transactions)\/([^/]*)\/(\d{1,16})$/.exec(claimId) ?? [];
  if (consentId === undefined || endpoint === undefined || resourceId === undefined) return undefined;
  return {
    key: { consentId, endpoint: endpoint as WindowKey['endpoint'], resourceId },
    call: Number(call),
  };
};
