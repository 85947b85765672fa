import type { AisEndpoint } from '@xs2a/contracts/consents.contract';

/**
 * The key of a counter, a row of `access_window`: calls of one consent at one endpoint, for one account. Calls of the list of
 * accounts are counted for the consent.
 */
export interface CounterKey {
  readonly consentId: string;
  readonly endpoint: AisEndpoint;
  /** Empty for the list of accounts. */
  readonly resourceId: string;
}

/** The entry of a counted call, by which it can be taken back. Times are epoch microseconds. */
export interface CountedCall {
  readonly key: CounterKey;
  /** When the counted call was made; absent: it was not counted. */
  readonly call?: number;
  /** Present when the call was a report; `last`: the time of the report before it. */
  readonly report?: { readonly last?: number };
}

/** Writes a counted call as a text that is opaque to those who carry it: `claimId` on the wire. */
export const toClaimId = ({ key, call, report }: CountedCall): string =>
  [
    key.consentId,
    key.endpoint,
    key.resourceId,
    call ?? '',
    ...(report === undefined ? [] : [report.last ?? '']),
  ].join('/');

/** Parses what {@link toClaimId} wrote; undefined when the text is something else. */
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
