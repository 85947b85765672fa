import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
COMMENT ON SCHEMA console IS 'what operators see: the processes of the services and the calls of the API';

-- One row for each start of a process. "ended" is null while it runs, and if it was killed or crashed.
CREATE TABLE console.instance (
  id uuid PRIMARY KEY,
  service text NOT NULL,
  host text NOT NULL,
  pid int NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL,
  last_pulse_at timestamptz NOT NULL,
  ended jsonb
);
CREATE INDEX instance_last_pulse_at ON console.instance (last_pulse_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON console.instance TO xs2a_console;

-- Sessions of the staff's browsers. A session is found by the SHA-256 of its id.
CREATE TABLE console.staff_session (
  id_hash bytea PRIMARY KEY,
  data jsonb NOT NULL,
  started_at timestamptz NOT NULL,
  used_at timestamptz NOT NULL
);
CREATE INDEX staff_session_used_at ON console.staff_session (used_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON console.staff_session TO xs2a_console;

-- Batches of calls that are stored: a gateway sends a batch again whose answer it did not get.
CREATE TABLE console.call_batch (
  batch_id uuid PRIMARY KEY,
  recorded_at timestamptz NOT NULL
);

-- One row for each call. A day is a partition, in UTC and real time, so that a day ends by one statement.
CREATE TABLE console.call (
  at timestamptz NOT NULL,
  call_id bigint GENERATED ALWAYS AS IDENTITY,
  request_id uuid NOT NULL,
  trace_id text,
  tpp_id text,
  operation text NOT NULL,
  status smallint NOT NULL,
  code text,
  path text,
  dependency text,
  ms real NOT NULL,
  bytes int NOT NULL,
  resource_id uuid,
  PRIMARY KEY (at, call_id)
) PARTITION BY RANGE (at);
CREATE INDEX call_of_tpp ON console.call (tpp_id, at, call_id);
CREATE INDEX call_of_request ON console.call (request_id);
CREATE INDEX call_of_resource ON console.call (resource_id, at) WHERE resource_id IS NOT NULL;

-- The headers and bodies of calls, without secrets, for 24 hours; only in a sandbox with CALL_BODIES.
CREATE TABLE console.call_content (
  call_id bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  bytes int NOT NULL,
  request jsonb NOT NULL,
  response jsonb NOT NULL
);
CREATE INDEX call_content_at ON console.call_content (at);

-- Calls without a row, counted.
CREATE TABLE console.calls_left_out (
  batch_id uuid NOT NULL,
  tpp_id text NOT NULL,
  reason text NOT NULL,
  calls int NOT NULL,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (batch_id, tpp_id, reason)
);
CREATE INDEX calls_left_out_until ON console.calls_left_out (until);

GRANT SELECT, INSERT, DELETE ON console.call_batch, console.call_content, console.calls_left_out TO xs2a_console;
GRANT SELECT, INSERT ON console.call TO xs2a_console;
`;

/**
 * The service has no right to create or drop tables. These functions run with the rights of the schema's owner and do
 * nothing but add a day or end old ones. Each waits half a second for a lock, and the service calls it again later.
 */
const functions = `
CREATE FUNCTION console.add_call_day(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = console, pg_temp SET lock_timeout = '500ms' AS $$
BEGIN
  IF day NOT BETWEEN current_date - 400 AND current_date + 7 THEN
    RAISE EXCEPTION 'no calls are stored for %', day;
  END IF;
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF call FOR VALUES FROM (%L) TO (%L)',
    to_char(day, '"call_"YYYYMMDD'), day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
EXCEPTION WHEN duplicate_table OR unique_violation THEN
  -- Another instance has just added it.
END $$;

CREATE FUNCTION console.drop_call_days(before date) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = console, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  old text;
  dropped int := 0;
BEGIN
  FOR old IN
    SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid
    WHERE inhparent = 'call'::regclass AND relname < to_char(least(before, current_date), '"call_"YYYYMMDD')
  LOOP
    EXECUTE format('DROP TABLE IF EXISTS %I', old);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

REVOKE EXECUTE ON FUNCTION console.add_call_day, console.drop_call_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION console.add_call_day, console.drop_call_days TO xs2a_console;
`;

/** The tables of version 0.1.0. */
export class ConsoleBaseline1796300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(functions);
  }

  async down(): Promise<void> {
    throw new Error('nothing precedes the baseline; drop the schema instead');
  }
}
