import type { WindowKey } from './access-window.js';

/** The entry that a claim added to its counter, by which it can be taken back. Times are epoch microseconds. */
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

/** Parses the id of a claim; undefined when the text is none. */
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
