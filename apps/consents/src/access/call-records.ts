import { Inject, Injectable } from '@nestjs/common';
import type { AddressTally, CallBatch, CallTally, TppTally } from '@xs2a/contracts/call-records.contract';
import { Batches, settleEach } from '@xs2a/postgres/batches';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf } from '@xs2a/runtime/config';
import { CONFIG, POOL } from '@xs2a/runtime/tokens';
import type { ClientBase, Pool } from 'pg';
import type { config } from '../config.js';

/**
 * The maximum number of addresses kept per consent and day. Calls from further addresses are counted under an
 * empty address.
 */
const maxAddresses = 50;
/** The maximum number of rows removed by one statement. */
const maxPruned = 5000;

type KeptDays = Pick<
  ConfigOf<typeof config>,
  'PSU_ADDRESS_DAYS' | 'TPP_STATISTICS_DAYS' | 'CALL_STATISTICS_DAYS'
>;

/** The daily statistics of calls and the PSU addresses, as counted by the gateways. */
@Injectable()
export class CallRecords {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly kept: KeptDays,
  ) {}

  /** Adds a batch of calls. A batch that is resent because its answer was lost changes nothing. */
  async add({ batchId, calls, byTpp, addresses }: CallBatch): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query({
        name: 'new-call-batch',
        text: 'INSERT INTO call_batch (batch_id, recorded_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        values: [batchId, this.clock.now()],
      });
      if (rowCount === 0) return;
      if (calls.length > 0) await addCalls(client, calls);
      if (byTpp.length > 0) await addByTpp(client, byTpp);
      if (addresses.length > 0) await addAddresses(client, addresses);
    });
  }

  /** Removes expired data in batches. Skips rows that another instance is already removing. */
  async prune(): Promise<void> {
    const { PSU_ADDRESS_DAYS, TPP_STATISTICS_DAYS, CALL_STATISTICS_DAYS } = this.kept;
    const ofDaysBefore = "day < ($1::timestamptz AT TIME ZONE 'UTC')::date - $2::int";
    await settleEach([
      this.removing('psu_address', ofDaysBefore, PSU_ADDRESS_DAYS),
      this.removing('tpp_statistics', ofDaysBefore, TPP_STATISTICS_DAYS),
      this.removing('call_statistics', ofDaysBefore, CALL_STATISTICS_DAYS),
      // A gateway resends an unacknowledged batch for only a few seconds.
      this.removing('call_batch', 'recorded_at < $1::timestamptz - make_interval(days => $2)', 1),
    ]);
  }

  private removing(table: string, due: string, days: number): () => Promise<number> {
    return async () =>
      new Batches(maxPruned).all(async (limit) => {
        const { rowCount } = await this.pool.query({
          name: `prune-${table}`,
          text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM ${table} WHERE ${due} LIMIT $3 FOR UPDATE SKIP LOCKED))`,
          values: [this.clock.now(), days, limit],
        });
        return rowCount ?? 0;
      });
  }
}

const column = <Row, Name extends keyof Row>(rows: readonly Row[], name: Name): Row[Name][] =>
  rows.map((row) => row[name]);

const addCalls = async (client: ClientBase, calls: readonly CallTally[]): Promise<void> => {
  await client.query({
    name: 'add-call-statistics',
    text: `INSERT INTO call_statistics AS kept (day, endpoint, api, calls, refused, failed, total_ms)
      SELECT * FROM unnest($1::date[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::float8[])
        AS given (day, endpoint, api, calls, refused, failed, total_ms) ORDER BY day, endpoint
      ON CONFLICT (day, endpoint) DO UPDATE SET calls = kept.calls + excluded.calls,
        refused = kept.refused + excluded.refused, failed = kept.failed + excluded.failed,
        total_ms = kept.total_ms + excluded.total_ms`,
    values: (['day', 'endpoint', 'api', 'calls', 'refused', 'failed', 'totalMs'] as const).map((name) =>
      column(calls, name),
    ),
  });
};

const addByTpp = async (client: ClientBase, tallies: readonly TppTally[]): Promise<void> => {
  await client.query({
    name: 'add-tpp-statistics',
    text: `INSERT INTO tpp_statistics AS kept (day, tpp_id, api, calls, refused, failed, total_ms)
      SELECT * FROM unnest($1::date[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::float8[])
        AS given (day, tpp_id, api, calls, refused, failed, total_ms) ORDER BY day, tpp_id, api
      ON CONFLICT (day, tpp_id, api) DO UPDATE SET calls = kept.calls + excluded.calls,
        refused = kept.refused + excluded.refused, failed = kept.failed + excluded.failed,
        total_ms = kept.total_ms + excluded.total_ms`,
    values: (['day', 'tppId', 'api', 'calls', 'refused', 'failed', 'totalMs'] as const).map((name) =>
      column(tallies, name),
    ),
  });
};

const addAddresses = async (client: ClientBase, addresses: readonly AddressTally[]): Promise<void> => {
  await client.query({
    name: 'add-psu-addresses',
    text: `WITH given AS (
        SELECT * FROM unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::int[], $6::int[])
          AS given (consent_id, day, address, tpp_id, calls, from_tpp)
        -- Not of a consent that was forgotten since the call.
        WHERE NOT EXISTS (SELECT FROM stream_key k WHERE k.stream_id = given.consent_id AND k.wrapped IS NULL)
      ), known AS (
        SELECT given.*, kept.address IS NOT NULL AS is_known,
          (SELECT count(*) FROM psu_address p WHERE (p.consent_id, p.day) = (given.consent_id, given.day)) AS so_many
        FROM given LEFT JOIN psu_address kept USING (consent_id, day, address)
      ), placed AS (
        SELECT consent_id, day, tpp_id, calls, from_tpp, CASE WHEN is_known OR so_many + row_number()
          OVER (PARTITION BY consent_id, day, is_known ORDER BY address) <= ${maxAddresses} THEN address ELSE '' END AS address
        FROM known
      )
      INSERT INTO psu_address AS kept (consent_id, day, address, tpp_id, calls, from_tpp)
      SELECT consent_id, day, address, min(tpp_id), sum(calls), sum(from_tpp) FROM placed
      GROUP BY consent_id, day, address ORDER BY consent_id, day, address
      ON CONFLICT (consent_id, day, address) DO UPDATE
        SET calls = kept.calls + excluded.calls, from_tpp = kept.from_tpp + excluded.from_tpp`,
    values: [
      column(addresses, 'consentId'),
      column(addresses, 'day'),
      column(addresses, 'address'),
      column(addresses, 'tppId'),
      column(addresses, 'calls'),
      column(addresses, 'fromTpp'),
    ],
  });
};
