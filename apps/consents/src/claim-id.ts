import type { WindowKey } from './access-window.js';

/** What a claim wrote to its window, so that it can be taken back. Times are epoch microseconds. */
export interface Claim {
  readonly key: WindowKey;
  /** The counted call. */
  readonly call?: number;
  /** It was a report; `last`: the one before it. */
  readonly report?: { readonly last?: number };
}

/** Opaque to those who carry it. */
export const claimIdOf = ({ key, call, report }: Claim): string =>
  [
    key.consentId,
    key.endpoint,
    key.resourceId,
    call ?? '',
    ...(report === undefined ? [] : [report.last ?? '']),
  ].join('/');

/** Undefined: not a claim's name. */
export const claimOf = (claimId: string): Claim | undefined => {
  const [, consentId, endpoint, resourceId, call, last] =
    /^([0-9a-f-]{36})\/(accounts|account|balances|transactions)\/([^/]*)\/(\d{0,16})(?:\/(\d{0,16}))?$/.exec(
      claimId,
    ) ?? [];
  if (consentId === undefined || endpoint === undefined || resourceId === undefined) return undefined;
  const key = { consentId, endpoint: endpoint as WindowKey['endpoint'], resourceId };
  return {
    key,
    ...(call ? { call: Number(call) } : {}),
    ...(last === undefined ? {} : { report: last === '' ? {} : { last: Number(last) } }),
  };
};
