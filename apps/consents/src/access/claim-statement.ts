import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import type { Counting, Report } from './access-window.js';

/**
 * A question about a consent: its state, and to count a call and note a report if the state is the one that the
 * caller knows.
 */
export interface Asked {
  readonly tppId: string;
  readonly consentId: string;
  /** The version that the caller decided on; 0: it knows none. */
  readonly knownVersion: number;
  readonly counting?: Counting;
  readonly report?: Report;
}

/** A consent's row as the statement saw it. */
export interface Seen {
  readonly version: number;
  /** The state of the consent, when its version is not the known one. */
  readonly state?: ConsentState;
  /** The window with the call in it; absent: the call was not counted. */
  readonly counted?: readonly number[];
  /** The window that left no room, as it was when the statement began. */
  readonly full?: readonly number[];
  /** The first use of a one-off consent that is over by now. */
  readonly firstUse?: number;
  /** The report before the one that was noted. */
  readonly lastReport?: number;
}

/**
 * Answers a batch of questions. A call is counted if, and only if, the consent still stands at the version that the
 * decision was made on, and the window has room. The window's row lock puts parallel calls in a line; each sees what
 * the one before it left. Windows are taken in one order, so that batches wait for each other but never both. A report
 * is noted in the window of its calls, together with the call when that is counted. A call whose name the
 * window knows was claimed before: it is let through, and not counted again.
 */
const text = `
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::text[], $6::boolean[], $7::bigint[],
      $8::smallint[], $9::bigint[], $10::bigint[], $11::uuid[]) WITH ORDINALITY
    AS a (consent_id, tpp_id, known_version, endpoint, resource_id, one_off, call, most, first_use_after, reported_at, call_id, n)
), consent AS MATERIALIZED (
  SELECT a.n, v.version, CASE WHEN v.version = a.known_version THEN NULL ELSE v.state END AS state
  FROM asked a JOIN consent_view v ON v.stream_id = a.consent_id AND v.tpp_id = a.tpp_id
), counted AS (
  INSERT INTO access_window AS kept (consent_id, endpoint, resource_id, one_off, most, calls, reported_at, call_ids)
  SELECT a.consent_id, a.endpoint, a.resource_id, a.one_off, a.most, array_remove(ARRAY[a.call], NULL), a.reported_at,
    array_remove(ARRAY[a.call_id], NULL)
  FROM asked a JOIN consent USING (n)
  WHERE a.endpoint IS NOT NULL AND consent.version = a.known_version AND NOT (a.one_off AND EXISTS (
    SELECT FROM access_window used WHERE used.consent_id = a.consent_id AND used.calls[1] <= a.first_use_after))
  ORDER BY a.consent_id, a.endpoint, a.resource_id
  ON CONFLICT (consent_id, endpoint, resource_id) DO UPDATE
    SET most = excluded.most, reported_at = coalesce(excluded.reported_at, kept.reported_at),
      calls = CASE WHEN excluded.calls = '{}' OR excluded.call_ids[1] = ANY (kept.call_ids) THEN kept.calls
        ELSE array_append(in_window(kept.calls, kept.one_off, excluded.calls[1]), excluded.calls[1]) END,
      call_ids = CASE WHEN excluded.call_ids[1] = ANY (kept.call_ids) THEN kept.call_ids
        ELSE (kept.call_ids || excluded.call_ids)[cardinality(kept.call_ids || excluded.call_ids) + 1 - excluded.most:] END
    WHERE excluded.calls = '{}' OR excluded.call_ids[1] = ANY (kept.call_ids) OR cardinality(in_window(kept.calls, kept.one_off, excluded.calls[1])) < excluded.most
  RETURNING consent_id, endpoint, resource_id, calls, old.reported_at AS last_report
)
SELECT a.n, a.consent_id AS stream_id, consent.version, consent.state, counted.calls AS counted, counted.last_report,
  CASE WHEN a.call IS NOT NULL AND counted.calls IS NULL THEN (
    SELECT calls FROM access_window w
    WHERE w.consent_id = a.consent_id AND w.endpoint = a.endpoint AND w.resource_id = a.resource_id) END AS full,
  CASE WHEN a.one_off AND counted.calls IS NULL THEN (
    SELECT min(calls[1]) FROM access_window w
    WHERE w.consent_id = a.consent_id AND w.calls[1] <= a.first_use_after) END AS first_use
FROM asked a JOIN consent USING (n) LEFT JOIN counted
  ON counted.consent_id = a.consent_id AND counted.endpoint = a.endpoint AND counted.resource_id = a.resource_id`;

/** A row of the answer; arrays of bigint come as text. */
export interface SeenRow {
  /** Which question, from 1. */
  readonly n: number;
  readonly version: number;
  readonly stream_id: string;
  /** The JSON of the stored state, with its mark; null when the version is the known one. */
  readonly state: unknown;
  readonly counted: readonly string[] | null;
  readonly full: readonly string[] | null;
  readonly first_use: number | null;
  readonly last_report: number | null;
}

/** The window that a question writes to. */
export const windowOf = ({ counting, report }: Asked): Counting['key'] | undefined =>
  counting?.key ?? report?.key;

/** No two questions of a batch may write to the same window. */
export const claimStatement = (
  batch: readonly Asked[],
): { readonly name: string; readonly text: string; readonly values: unknown[] } => ({
  name: 'claim-access',
  text,
  values: [
    batch.map(({ consentId }) => consentId),
    batch.map(({ tppId }) => tppId),
    batch.map(({ knownVersion }) => knownVersion),
    batch.map((asked) => windowOf(asked)?.endpoint),
    batch.map((asked) => windowOf(asked)?.resourceId),
    batch.map(({ counting }) => counting?.oneOff ?? false),
    batch.map(({ counting }) => counting?.call),
    batch.map(({ counting }) => counting?.limit ?? 0),
    batch.map(({ counting }) => counting?.firstUseAfter),
    batch.map(({ report }) => report?.at),
    batch.map(({ counting }) => counting?.id),
  ],
});

export const seenIn = (row: SeenRow, state: ConsentState | undefined): Seen => ({
  version: row.version,
  ...(state === undefined ? {} : { state }),
  ...(row.counted === null ? {} : { counted: row.counted.map(Number) }),
  ...(row.full === null ? {} : { full: row.full.map(Number) }),
  ...(row.first_use === null ? {} : { firstUse: row.first_use }),
  ...(row.last_report === null ? {} : { lastReport: row.last_report }),
});
