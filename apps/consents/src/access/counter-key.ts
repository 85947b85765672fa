import type { AisEndpoint } from '@xs2a/contracts/consents.contract';

/**
 * The key of a counter, a row of `access_window`: the calls with one consent to one endpoint, for one account.
 * Calls of the account list are counted per consent.
 */
export interface CounterKey {
  readonly consentId: string;
  readonly endpoint: AisEndpoint;
  /** Empty for the account list. */
  readonly resourceId: string;
}

/** The entry of a counted call, with which it can be taken back. Times are epoch microseconds. */
export interface CountedCall {
  readonly key: CounterKey;
  /** The time of the counted call; absent: it was not counted. */
  readonly call?: number;
  /** Present if the call was a report; `last`: the time of the previous report. */
  readonly report?: { readonly last?: number };
}

/** Encodes a counted call as text that is opaque to its holders: `claimId` on the wire. */
export const toClaimId = ({ key, call, report }: CountedCall): string =>
  [
    key.consentId,
    key.endpoint,
    key.resourceId,
    call ?? '',
    ...(report === undefined ? [] : [report.last ?? '']),
  ].join('/');

/** Parses the output of {@link toClaimId}; undefined if the text is anything else. */
export const parseClaimId = (claimId: string): CountedCall | undefined => {
  const [, consentId, endpoint, resourceId, call, last] =
    /^([0-9a-f-]{36})\/(accounts|account|balances|transactions)\/([^/]*)\/(\d{0,16})(?:\/(\d{0,16}))?$/.exec(
      claimId,
    ) ?? [];
  if (consentId === undefined || endpoint === undefined || resourceId === undefined) return undefined;
  const key = { consentId, endpoint: endpoint as CounterKey['endpoint'], resourceId };
  return {
    key,
    call: call ? Number(call) : undefined,
    report: last === undefined ? undefined : last === '' ? {} : { last: Number(last) },
  };
};
