import { Inject, Injectable } from '@nestjs/common';
import type { ConfigOf } from '@xs2a/runtime/config';
import { CONFIG, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import type { config } from '../config.js';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';
import type { CountRequest, CountResult } from './count-calls.js';
import type { CounterKey } from './counter-key.js';
import { type CallCounter, PlainCallCounter } from './plain-call-counter.js';
import { withCountBatching } from './with-count-batching.js';

/**
 * The counters of AIS calls, which enforce the limit on calls without the PSU in 24 hours. Times are epoch
 * microseconds.
 */
@Injectable()
export class CallCounters {
  private readonly counter: CallCounter;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONSENT_STORE) store: ConsentStore,
    @Inject(CONFIG) settings?: Pick<ConfigOf<typeof config>, 'COUNT_BATCHING'>,
  ) {
    const plain = new PlainCallCounter(pool, store);
    this.counter = (settings?.COUNT_BATCHING ?? true) ? withCountBatching(plain) : plain;
  }

  /** Counts a call; returns undefined if the TPP has no such consent. */
  async count(request: CountRequest): Promise<CountResult | undefined> {
    return this.counter.count(request);
  }

  /** Returns the calls of a counter, oldest first. */
  async readCalls({ consentId, endpoint, resourceId }: CounterKey): Promise<number[]> {
    const { rows } = await this.pool.query<{ calls: string[] }>({
      name: 'calls-of-counter',
      text: 'SELECT calls FROM access_window WHERE consent_id = $1 AND endpoint = $2 AND resource_id = $3',
      values: [consentId, endpoint, resourceId],
    });
    return rows[0]?.calls.map(Number) ?? [];
  }

  /** True if the consent was used for a call at or before `moment`. */
  async wasUsedBy(consentId: string, moment: number): Promise<boolean> {
    const { rows } = await this.pool.query({
      name: 'was-used-by',
      text: 'SELECT FROM access_window WHERE consent_id = $1 AND calls[1] <= $2 LIMIT 1',
      values: [consentId, moment],
    });
    return rows.length > 0;
  }

  /**
   * Removes one call and its id from its counter; a repeat does nothing. If the call arrived twice under its id,
   * the first arrival was counted, and the counter may not contain the time given here. In that case the newest
   * call of the counter is removed, which is equivalent.
   */
  async release(
    { consentId, endpoint, resourceId }: CounterKey,
    { at, id }: { readonly at: number; readonly id: string },
  ): Promise<void> {
    await this.pool.query({
      name: 'release-access',
      text: `UPDATE access_window
        SET call_ids = array_remove(call_ids, $5::uuid),
          calls = calls[:coalesce(array_position(calls, $4::bigint), cardinality(calls)) - 1]
            || calls[coalesce(array_position(calls, $4::bigint), cardinality(calls)) + 1:]
        WHERE consent_id = $1 AND endpoint = $2 AND resource_id = $3
          AND (array_position(calls, $4::bigint) IS NOT NULL OR $5::uuid = ANY (call_ids))`,
      values: [consentId, endpoint, resourceId, at, id],
    });
  }

  /**
   * Takes back a report that was not delivered: the next delta begins where this report began, even if other
   * reports have been made since.
   */
  async takeReportBack(
    { consentId, endpoint, resourceId }: CounterKey,
    lastReport: number | undefined,
  ): Promise<void> {
    await this.pool.query({
      name: 'take-report-back',
      text: `UPDATE access_window SET reported_at = CASE WHEN $4::bigint IS NOT NULL THEN least(reported_at, $4) END
        WHERE consent_id = $1 AND endpoint = $2 AND resource_id = $3`,
      values: [consentId, endpoint, resourceId, lastReport],
    });
  }

  /**
   * Returns the valid one-off consents whose first use was at or before `before` and has not been recorded in
   * their stream yet.
   */
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
   * Removes counters that have had no call after `after` and no report after `reportAfter`; returns the number
   * removed. This includes counters of one-off consents, which have expired by then.
   */
  async prune(after: number, reportAfter: number, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query({
      name: 'prune-counters',
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
