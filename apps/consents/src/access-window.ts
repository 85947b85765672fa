import { Inject, Injectable } from '@nestjs/common';
import type { AisEndpoint } from '@xs2a/contracts/consents.contract';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/** What is counted together: calls of one consent on one endpoint, for one account (the list: for the consent). */
export interface WindowKey {
  readonly consentId: string;
  readonly endpoint: AisEndpoint;
  /** Empty for the list of accounts. */
  readonly resourceId: string;
}

/** How a call is counted. Times are epoch microseconds. */
export interface Counting {
  readonly key: WindowKey;
  readonly oneOff: boolean;
  /** When it is made; also its name within the window. */
  readonly call: number;
  /** Calls at or before this left the window. */
  readonly after: number;
  readonly limit: number;
  /** A one-off consent that was first used at or before this is over. */
  readonly firstUseAfter: number;
}

/** A consent's row as a statement saw it; `state` only when `version` is not the one that the caller knows. */
export interface SeenConsent {
  readonly version: number;
  readonly state?: ConsentState;
}
export interface CountedConsent extends SeenConsent {
  /** The window with the call in it; absent: the call was not counted. */
  readonly counted?: readonly number[];
  /** Absent when it was counted: the window that left no room, as it was when the statement began. */
  readonly full?: readonly number[];
  /** When the one-off consent was used first. */
  readonly firstUse?: number;
}

const seen = `SELECT version, CASE WHEN version = $3 THEN NULL ELSE state END AS state
  FROM consent_view WHERE stream_id = $1 AND tpp_id = $2`;

/**
 * Counts the call if, and only if, the consent still stands at the version that the caller's decision was made on, and
 * the window has room. The row's lock puts parallel calls in a line; each sees what the one before it left.
 */
const countingText = (oneOff: boolean): string => `
WITH consent AS MATERIALIZED (${seen}), counted AS (
  INSERT INTO access_window AS kept (consent_id, endpoint, resource_id, one_off, calls)
  SELECT $1, $4, $5, ${oneOff}, ARRAY[$6::bigint] FROM consent WHERE version = $3${
    oneOff
      ? ' AND NOT EXISTS (SELECT FROM access_window used WHERE used.consent_id = $1 AND used.calls[1] <= $9)'
      : ''
  }
  ON CONFLICT (consent_id, endpoint, resource_id) DO UPDATE
    SET calls = array_append(ARRAY(SELECT call FROM unnest(kept.calls) AS call WHERE call > $7), $6)
    WHERE (SELECT count(*) FROM unnest(kept.calls) AS call WHERE call > $7) < $8
  RETURNING calls
)
SELECT version, state, (SELECT calls FROM counted) AS counted,
  CASE WHEN NOT EXISTS (SELECT FROM counted) THEN (
    SELECT calls FROM access_window WHERE consent_id = $1 AND endpoint = $4 AND resource_id = $5) END AS full${
      oneOff
        ? ', (SELECT min(calls[1]) FROM access_window WHERE consent_id = $1 AND calls[1] <= $9) AS "firstUse"'
        : ''
    }
FROM consent`;
const texts = { recurring: countingText(false), oneOff: countingText(true) };

/** The statements on the counters of AIS calls; each call is one round trip. */
@Injectable()
export class AccessWindows {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** The consent without counting; undefined: none of this TPP. */
  async look(tppId: string, consentId: string, knownVersion: number): Promise<SeenConsent | undefined> {
    const { rows } = await this.pool.query<{ version: number; state: ConsentState | null }>({
      name: 'look-at-consent',
      text: seen,
      values: [consentId, tppId, knownVersion],
    });
    return rows[0] && { version: rows[0].version, state: rows[0].state ?? undefined };
  }

  /** Undefined: no such consent of this TPP. */
  async count(tppId: string, knownVersion: number, counting: Counting): Promise<CountedConsent | undefined> {
    const { key, oneOff, call, after, limit, firstUseAfter } = counting;
    const { rows } = await this.pool.query<{
      version: number;
      state: ConsentState | null;
      counted: string[] | null;
      full: string[] | null;
      firstUse?: number | null;
    }>({
      name: oneOff ? 'count-one-off' : 'count-unattended',
      text: oneOff ? texts.oneOff : texts.recurring,
      values: [
        key.consentId,
        tppId,
        knownVersion,
        key.endpoint,
        key.resourceId,
        call,
        after,
        limit,
        ...(oneOff ? [firstUseAfter] : []),
      ],
    });
    const row = rows[0];
    return (
      row && {
        version: row.version,
        state: row.state ?? undefined,
        counted: row.counted?.map(Number),
        full: row.full?.map(Number),
        firstUse: row.firstUse ?? undefined,
      }
    );
  }

  /** The calls of a window, oldest first. */
  async callsOf({ consentId, endpoint, resourceId }: WindowKey): Promise<number[]> {
    const { rows } = await this.pool.query<{ calls: string[] }>({
      name: 'calls-of-window',
      text: 'SELECT calls FROM access_window WHERE consent_id = $1 AND endpoint = $2 AND resource_id = $3',
      values: [consentId, endpoint, resourceId],
    });
    return rows[0]?.calls.map(Number) ?? [];
  }

  /** Takes one call out again; once, however often it is asked. */
  async release({ consentId, endpoint, resourceId }: WindowKey, call: number): Promise<void> {
    await this.pool.query({
      name: 'release-access',
      text: `UPDATE access_window
        SET calls = calls[:array_position(calls, $4::bigint) - 1] || calls[array_position(calls, $4::bigint) + 1:]
        WHERE consent_id = $1 AND endpoint = $2 AND resource_id = $3 AND array_position(calls, $4::bigint) IS NOT NULL`,
      values: [consentId, endpoint, resourceId, call],
    });
  }

  /** One-off consents in force whose first use, at or before `before`, is not in their stream yet. */
  async firstUses(before: number, limit: number): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<{ consent_id: string; first: number }>({
      name: 'first-uses',
      text: `SELECT used.consent_id, min(used.calls[1]) AS first
        FROM access_window used JOIN consent_view v ON v.stream_id = used.consent_id
        WHERE used.one_off AND used.calls[1] <= $1 AND v.status = 'valid' AND NOT v.state ? 'oneOffEndsAt'
        GROUP BY used.consent_id LIMIT $2`,
      values: [before, limit],
    });
    return new Map(rows.map(({ consent_id, first }) => [consent_id, first]));
  }

  /** Removes windows without a call after `after` (of one-off consents too: they are over by then); answers how many. */
  async prune(after: number, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query({
      name: 'prune-windows',
      text: `DELETE FROM access_window old USING (
          SELECT consent_id, endpoint, resource_id FROM access_window
          WHERE coalesce(calls[cardinality(calls)], 0) <= $1 LIMIT $2
        ) found
        WHERE (old.consent_id, old.endpoint, old.resource_id) = (found.consent_id, found.endpoint, found.resource_id)
          AND coalesce(old.calls[cardinality(old.calls)], 0) <= $1`,
      values: [after, limit],
    });
    return rowCount ?? 0;
  }
}
