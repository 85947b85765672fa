import type { AisEndpoint } from '@xs2a/contracts/consents.contract';

/**
 * The key of a counter, which is a row of `access_window`: it counts the calls with one consent to one endpoint
 * for one account. Calls to the account list are counted per consent.
 */
export interface CounterKey {
  readonly consentId: string;
  readonly endpoint: AisEndpoint;
  /** Empty for calls to the account list. */
  readonly resourceId: string;
}

/** Identifies a counted call, so that it can be taken back. Times are epoch microseconds. */
export interface CountedCall {
  readonly key: CounterKey;
  /** The time of the counted call. If absent, the call was not counted. */
  readonly call?: number;
  /** Present if the call was a report; `last`: the time of the previous report. */
  readonly report?: { readonly last?: number };
}

/** Encodes a counted call as text that is opaque to other services; it is sent as `claimId`. */
export const toClaimId = ({ key, call, report }: CountedCall): string =>
  [
    key.consentId,
    key.endpoint,
    key.resourceId,
    call ?? '',
    ...(report === undefined ? [] : [report.last ?? '']),
  ].join('/');

/** Parses the output of {@link toClaimId}. Returns undefined for any other text. */
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
