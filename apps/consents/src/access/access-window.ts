import { Inject, Injectable } from '@nestjs/common';
import type { AisEndpoint } from '@xs2a/contracts/consents.contract';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/**
 * Key of a counter: calls of one consent on one endpoint, for one account (for the list of accounts: for the
 * consent).
 */
export interface WindowKey {
  readonly consentId: string;
  readonly endpoint: AisEndpoint;
  /** Empty for the list of accounts. */
  readonly resourceId: string;
}

/** A report, which the next delta follows on; times are epoch microseconds. */
export interface Report {
  readonly key: WindowKey;
  readonly at: number;
}

/** How a call is counted. Times are epoch microseconds. */
export interface Counting {
  readonly key: WindowKey;
  /** Its calls never leave the window. */
  readonly oneOff: boolean;
  /** The moment of the call, by which it is found in the window. */
  readonly call: number;
  /** Its caller's name for it: a call that comes again under this name is not counted again. Absent: it does not come again. */
  readonly id?: string;
  readonly limit: number;
  /** A one-off consent that was first used at or before this is over. */
  readonly firstUseAfter: number;
}

/** The counters of AIS calls, apart from the counting itself, which {@link ClaimQueue} does. */
@Injectable()
export class AccessWindows {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** The calls of a window, oldest first. */
  async callsOf({ consentId, endpoint, resourceId }: WindowKey): Promise<number[]> {
    const { rows } = await this.pool.query<{ calls: string[] }>({
      name: 'calls-of-window',
      text: 'SELECT calls FROM access_window WHERE consent_id = $1 AND endpoint = $2 AND resource_id = $3',
      values: [consentId, endpoint, resourceId],
    });
    return rows[0]?.calls.map(Number) ?? [];
  }

  /**
   * Takes one call out again; once, however often it is asked. One whose name was known when it was claimed was counted at another
   * moment: then the last of the window goes, which is as good. Its name is forgotten.
   */
  async release(
    { consentId, endpoint, resourceId }: WindowKey,
    { call, id }: Pick<Counting, 'call' | 'id'>,
  ): Promise<void> {
    const place = 'coalesce(array_position(calls, $4::bigint), cardinality(calls))';
    await this.pool.query({
      name: 'release-access',
      text: `UPDATE access_window
        SET calls = calls[:${place} - 1] || calls[${place} + 1:], call_ids = array_remove(call_ids, $5::uuid)
        WHERE consent_id = $1 AND endpoint = $2 AND resource_id = $3
          AND (array_position(calls, $4::bigint) IS NOT NULL OR $5::uuid = ANY (call_ids))`,
      values: [consentId, endpoint, resourceId, call, id],
    });
  }

  /** The report was not made: the next delta begins where it would have begun, even if others were made since. */
  async takeBack(
    { consentId, endpoint, resourceId }: WindowKey,
    lastReport: number | undefined,
  ): Promise<void> {
    await this.pool.query({
      name: 'take-report-back',
      text: `UPDATE access_window SET reported_at = CASE WHEN $4::bigint IS NOT NULL THEN least(reported_at, $4) END
        WHERE consent_id = $1 AND endpoint = $2 AND resource_id = $3`,
      values: [consentId, endpoint, resourceId, lastReport],
    });
  }

  /** One-off consents in force whose first use, at or before `before`, is not in their stream yet. */
  async firstUses(before: number, limit: number): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<{ consent_id: string; first: number }>({
      name: 'first-uses',
      text: `SELECT used.consent_id, min(used.calls[1]) AS first
        FROM access_window used JOIN consent_view v ON v.stream_id = used.consent_id
        WHERE used.one_off AND used.calls[1] <= $1 AND v.status = 'valid' AND v.state->'oneOffEndsAt' IS NULL
        GROUP BY used.consent_id LIMIT $2`,
      values: [before, limit],
    });
    return new Map(rows.map(({ consent_id, first }) => [consent_id, first]));
  }

  /**
   * Removes windows without a call after `after` (of one-off consents too: they are over by then) and without a report
   * after `reportAfter`; answers how many.
   */
  async prune(after: number, reportAfter: number, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query({
      name: 'prune-windows',
      text: `DELETE FROM access_window old USING (
          SELECT consent_id, endpoint, resource_id FROM access_window
          WHERE coalesce(calls[cardinality(calls)], 0) <= $1 AND coalesce(reported_at, 0) <= $2 LIMIT $3
        ) found
        WHERE (old.consent_id, old.endpoint, old.resource_id) = (found.consent_id, found.endpoint, found.resource_id)
          AND coalesce(old.calls[cardinality(old.calls)], 0) <= $1 AND coalesce(old.reported_at, 0) <= $2`,
      values: [after, reportAfter, limit],
    });
    return rowCount ?? 0;
  }
}
