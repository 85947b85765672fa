import { custodyTables } from '@xs2a/custody/custody.tables';
import { eventStoreTables } from '@xs2a/event-store/service-tables';
import { withoutValueStatistics } from '@xs2a/migrations/without-value-statistics';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const schema = 'consents';

const tables = `
-- The status view of consents: their state, and the columns by which they are found. It is written in the transaction that
-- appends the event.
CREATE TABLE consents.consent_view (
  stream_id uuid PRIMARY KEY,
  version int NOT NULL,
  -- json, not jsonb: the text that was hashed, returned as it is.
  state json NOT NULL,
  tpp_id text NOT NULL,
  status text NOT NULL,
  recurring boolean NOT NULL,
  due_at timestamptz,
  holder text,
  last_hash bytea NOT NULL,
  notified boolean
);
CREATE INDEX consent_due ON consents.consent_view (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX consent_of_tpp ON consents.consent_view (tpp_id, stream_id DESC);
CREATE INDEX consent_of_holder ON consents.consent_view (holder, stream_id DESC) WHERE holder IS NOT NULL;
CREATE INDEX consent_in_force ON consents.consent_view (holder, tpp_id) WHERE status = 'valid' AND recurring;
COMMENT ON COLUMN consents.consent_view.holder IS
  'psu:<id> of the one who signed, or corporate:<id>: whose list it is in, and whose newer consent replaces it';
COMMENT ON COLUMN consents.consent_view.last_hash IS 'hash of the last event, which the next one names';
COMMENT ON COLUMN consents.consent_view.notified IS 'true: its changes are pushed; null: they are not';

-- The calls that a TPP made without its PSU: one row for each resource, so that one statement counts a call and says
-- whether it is within the limit (contract 5).
CREATE TABLE consents.access_window (
  consent_id uuid NOT NULL,
  endpoint text NOT NULL,
  resource_id text NOT NULL,
  one_off boolean NOT NULL,
  most smallint NOT NULL,
  calls bigint[] NOT NULL,
  reported_at bigint,
  call_ids uuid[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (consent_id, endpoint, resource_id)
) WITH (fillfactor = 70);
CREATE INDEX access_window_one_off ON consents.access_window (consent_id) WHERE one_off;
COMMENT ON COLUMN consents.access_window.calls IS
  'epoch microseconds of the counted calls, oldest first; the last three digits only tell calls of one millisecond apart';
COMMENT ON COLUMN consents.access_window.reported_at IS
  'epoch microseconds of the last report of what is booked up to then: where the next deltaList begins';
COMMENT ON COLUMN consents.access_window.call_ids IS
  'names of the calls that were counted last, at most as many as may be made in a day';
CREATE FUNCTION consents.in_window(calls bigint[], one_off boolean, now bigint) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN one_off THEN calls
    ELSE ARRAY(SELECT call FROM unnest(calls) AS call WHERE call > now - 86400000000) END;
COMMENT ON FUNCTION consents.in_window IS
  'the calls that still count at a moment: those of the last 24 hours, of a one-off consent all';

-- When each consent was last used. Not in the status view, since every call would write its state again.
CREATE TABLE consents.consent_use (
  consent_id uuid PRIMARY KEY,
  last_used_at timestamptz NOT NULL
) WITH (fillfactor = 70);

-- What the gateways count: calls by day and endpoint, and by day and TPP.
CREATE TABLE consents.call_statistics (
  day date NOT NULL,
  endpoint text NOT NULL,
  api text NOT NULL,
  calls bigint NOT NULL,
  refused bigint NOT NULL,
  failed bigint NOT NULL,
  total_ms float8 NOT NULL,
  PRIMARY KEY (day, endpoint)
) WITH (fillfactor = 70);
CREATE TABLE consents.tpp_statistics (
  day date NOT NULL,
  tpp_id text NOT NULL,
  api text NOT NULL,
  calls bigint NOT NULL,
  refused bigint NOT NULL,
  failed bigint NOT NULL,
  total_ms float8 NOT NULL,
  PRIMARY KEY (day, tpp_id, api)
) WITH (fillfactor = 70);
COMMENT ON COLUMN consents.tpp_statistics.tpp_id IS 'empty: calls without a good token';

-- The PSU addresses that came with the calls of a consent.
CREATE TABLE consents.psu_address (
  consent_id uuid NOT NULL,
  day date NOT NULL,
  address text NOT NULL,
  tpp_id text NOT NULL,
  calls int NOT NULL,
  from_tpp int NOT NULL,
  PRIMARY KEY (consent_id, day, address)
) WITH (fillfactor = 70);
CREATE INDEX psu_address_day ON consents.psu_address (day);
COMMENT ON COLUMN consents.psu_address.address IS 'empty: further addresses of that day together';

-- Batches of counted calls that were recorded, so that a batch that is sent again counts once.
CREATE TABLE consents.call_batch (batch_id uuid PRIMARY KEY, recorded_at timestamptz NOT NULL);

GRANT EXECUTE ON FUNCTION consents.in_window TO xs2a_consents;
GRANT SELECT, INSERT, UPDATE ON consents.consent_view, consents.consent_use TO xs2a_consents;
GRANT SELECT, INSERT, UPDATE, DELETE ON consents.access_window, consents.call_statistics, consents.tpp_statistics,
  consents.psu_address, consents.call_batch TO xs2a_consents;
`;

/** The tables of version 0.1.0. */
export class ConsentsBaseline1795700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(eventStoreTables(schema, 'xs2a_consents'));
    await runner.query(custodyTables(schema));
    await runner.query(tables);
    // PostgreSQL's statistics would keep personal data after the rows are gone.
    await withoutValueStatistics(runner, { schema, table: 'consent_view', columns: { holder: 0.3 } });
    await withoutValueStatistics(runner, { schema, table: 'psu_address', columns: { address: null } });
  }

  async down(): Promise<void> {
    throw new Error('nothing precedes the baseline; drop the schema instead');
  }
}
