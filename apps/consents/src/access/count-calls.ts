import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';
import type { CounterKey } from './counter-key.js';

/**
 * One call to count, unless its consent has changed since the caller read the consent. Times are epoch
 * microseconds.
 */
export interface CountRequest {
  readonly tppId: string;
  readonly consentId: string;
  /**
   * The version of the consent on which the caller based its decision. 0 means that the caller has not read the
   * consent yet, in which case nothing is counted.
   */
  readonly knownVersion: number;
  /** If absent, the call is neither counted nor a report. */
  readonly counter?: CounterKey;
  /** If absent, the call is not counted. */
  readonly call?: {
    /** The time of the call, which also distinguishes it from the other calls in its counter. */
    readonly at: number;
    /** The caller's id for the call. If a call with the same id arrives again, it is allowed and not counted again. */
    readonly id: string;
    /** The maximum number of calls in the counter. */
    readonly limit: number;
    /** True if the consent is for one use. Its calls then count permanently, not for 24 hours. */
    readonly oneOff: boolean;
    /** A one-off consent that was first used at or before this time has expired. */
    readonly firstUseAfter: number;
  };
  /**
   * The time up to which the call reports transactions, at which the next delta begins. If absent, the call is not
   * a report.
   */
  readonly reportedAt?: number;
}

/** The consent as the statement read it, and whether the call was counted. */
export interface CountResult {
  readonly version: number;
  /** The consent, if its version differs from the one that the caller knows. Nothing was counted in that case. */
  readonly state?: ConsentState;
  /** The calls in the counter, including this one. If absent, the call was not counted. */
  readonly counted?: readonly number[];
  /** The calls in the counter when the statement began, if this call was not counted because the counter was full. */
  readonly full?: readonly number[];
  /** The time of the first use of a one-off consent that has expired. */
  readonly firstUse?: number;
  /** The time of the previous report. */
  readonly lastReport?: number;
}

/**
 * Counts a batch of calls, one per array element. A call is counted if and only if its consent still has the
 * version on which the caller based its decision, and the counter is not full. The row lock of the counter
 * serialises parallel calls, so that each sees the result of the previous one. Counters are locked in a fixed
 * order to prevent deadlocks between batches.
 */
const text = `
WITH asked AS MATERIALIZED (
  SELECT *
  FROM unnest(
    $1::uuid[], $2::text[], $3::int[],     -- the consent, its TPP, the version that the caller knows
    $4::text[], $5::text[],                -- the counter; null: nothing to write
    $6::boolean[], $7::bigint[], $8::smallint[], $9::bigint[],  -- the call; its time is null when it is not counted
    $10::bigint[], $11::uuid[]             -- the report; the id of the call
  ) WITH ORDINALITY AS a (
    consent_id, tpp_id, known_version, endpoint, resource_id,
    one_off, call, most, first_use_after, reported_at, call_id, n)
),
consent AS MATERIALIZED (
  SELECT a.n, v.version, CASE WHEN v.version <> a.known_version THEN v.state END AS state,
    CASE WHEN v.version <> a.known_version THEN ${streamKeyOf('v')} END AS stream_key
  FROM asked a JOIN consent_view v ON v.stream_id = a.consent_id AND v.tpp_id = a.tpp_id
),
counted AS (
  INSERT INTO access_window AS kept
    (consent_id, endpoint, resource_id, one_off, most, calls, reported_at, call_ids)
  SELECT a.consent_id, a.endpoint, a.resource_id, a.one_off, a.most,
    array_remove(ARRAY[a.call], NULL), a.reported_at, array_remove(ARRAY[a.call_id], NULL)
  FROM asked a JOIN consent USING (n)
  WHERE a.endpoint IS NOT NULL
    AND consent.version = a.known_version
    AND NOT (a.one_off AND EXISTS (
      SELECT FROM access_window used
      WHERE used.consent_id = a.consent_id AND used.calls[1] <= a.first_use_after))
  ORDER BY a.consent_id, a.endpoint, a.resource_id
  ON CONFLICT (consent_id, endpoint, resource_id) DO UPDATE SET
    most = excluded.most,
    reported_at = coalesce(excluded.reported_at, kept.reported_at),
    calls = CASE
      WHEN excluded.calls = '{}' OR excluded.call_ids[1] = ANY (kept.call_ids) THEN kept.calls
      ELSE in_window(kept.calls, kept.one_off, excluded.calls[1]) || excluded.calls END,
    call_ids = CASE
      WHEN excluded.call_ids[1] = ANY (kept.call_ids) THEN kept.call_ids
      ELSE (kept.call_ids || excluded.call_ids)
        [cardinality(kept.call_ids || excluded.call_ids) + 1 - excluded.most:] END
  WHERE excluded.calls = '{}'
    OR excluded.call_ids[1] = ANY (kept.call_ids)
    OR cardinality(in_window(kept.calls, kept.one_off, excluded.calls[1])) < excluded.most
  RETURNING consent_id, endpoint, resource_id, calls, old.reported_at AS last_report
)
SELECT a.n, a.consent_id AS stream_id, consent.version, consent.state, consent.stream_key,
  counted.calls AS counted, counted.last_report,
  CASE WHEN a.call IS NOT NULL AND counted.calls IS NULL THEN (
    SELECT calls FROM access_window w
    WHERE w.consent_id = a.consent_id AND w.endpoint = a.endpoint AND w.resource_id = a.resource_id
  ) END AS full,
  CASE WHEN a.one_off AND counted.calls IS NULL THEN (
    SELECT min(calls[1]) FROM access_window w
    WHERE w.consent_id = a.consent_id AND w.calls[1] <= a.first_use_after
  ) END AS first_use
FROM asked a
JOIN consent USING (n)
LEFT JOIN counted ON counted.consent_id = a.consent_id
  AND counted.endpoint = a.endpoint AND counted.resource_id = a.resource_id`;

/** Returns the statement for a batch. The batch must not contain two calls with the same counter. */
export const countCalls = (
  batch: readonly CountRequest[],
): { readonly name: string; readonly text: string; readonly values: unknown[] } => ({
  name: 'count-calls',
  text,
  values: [
    batch.map(({ consentId }) => consentId),
    batch.map(({ tppId }) => tppId),
    batch.map(({ knownVersion }) => knownVersion),
    batch.map(({ counter }) => counter?.endpoint),
    batch.map(({ counter }) => counter?.resourceId),
    batch.map(({ call }) => call?.oneOff ?? false),
    batch.map(({ call }) => call?.at),
    batch.map(({ call }) => call?.limit ?? 0),
    batch.map(({ call }) => call?.firstUseAfter),
    batch.map(({ reportedAt }) => reportedAt),
    batch.map(({ call }) => call?.id),
  ],
});

/** A row of the result; PostgreSQL's bigint arrays arrive as text. */
export interface CountRow {
  /** The position of the call in the batch, starting at 1. */
  readonly n: number;
  readonly version: number;
  readonly stream_id: string;
  /** The stored state of the consent; null if the caller already knows its version. */
  readonly state: unknown;
  /** The wrapped key of the consent's stream; present if `state` is. */
  readonly stream_key: Buffer | null;
  readonly counted: readonly string[] | null;
  readonly full: readonly string[] | null;
  readonly first_use: number | null;
  readonly last_report: number | null;
}

export const toCountResult = (row: CountRow, state: ConsentState | undefined): CountResult => ({
  version: row.version,
  state,
  counted: row.counted?.map(Number),
  full: row.full?.map(Number),
  firstUse: row.first_use ?? undefined,
  lastReport: row.last_report ?? undefined,
});
