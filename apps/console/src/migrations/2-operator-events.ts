import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rows are only added. Neither the service nor the owner of the schema can change one, as long as the triggers exist; a row
 * can be removed once it is a year old. The service removes the oldest ones with `drop_operator_events`, which never removes
 * the newest row, because the next one continues its chain.
 */
const statements = `
-- What the staff did and revealed: one hash chain. "target" is a TPP and so on; of a PSU it is only a tag.
CREATE TABLE console.operator_event (
  seq bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  type text NOT NULL,
  action_id uuid NOT NULL,
  via text NOT NULL,
  staff text NOT NULL,
  name text NOT NULL,
  roles jsonb NOT NULL,
  act text NOT NULL,
  target text NOT NULL,
  reason text NOT NULL,
  outcome text,
  prev_hash bytea NOT NULL,
  hash bytea NOT NULL
);
CREATE UNIQUE INDEX operator_event_begin ON console.operator_event (action_id)
  WHERE type IN ('action-requested', 'revealed');
CREATE UNIQUE INDEX operator_event_end ON console.operator_event (action_id)
  WHERE type IN ('action-done', 'action-failed');

CREATE FUNCTION console.operator_event_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.at < now() - interval '365 days' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'rows of operator_event are never changed, and are kept for a year at least';
END $$;
CREATE TRIGGER stays BEFORE UPDATE OR DELETE ON console.operator_event
  FOR EACH ROW EXECUTE FUNCTION console.operator_event_stays();
CREATE TRIGGER stays_whole BEFORE TRUNCATE ON console.operator_event
  FOR EACH STATEMENT EXECUTE FUNCTION console.operator_event_stays();

CREATE FUNCTION console.drop_operator_events(before timestamptz) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = console, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  first_kept bigint;
  dropped int;
BEGIN
  SELECT coalesce(min(seq) FILTER (WHERE at >= before), max(seq)) INTO first_kept FROM operator_event;
  DELETE FROM operator_event WHERE seq < first_kept;
  GET DIAGNOSTICS dropped = ROW_COUNT;
  RETURN dropped;
END $$;

REVOKE EXECUTE ON FUNCTION console.drop_operator_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION console.drop_operator_events TO xs2a_console;
GRANT SELECT, INSERT ON console.operator_event TO xs2a_console;
`;

/** The recorded actions of the staff. */
export class OperatorEvents1796400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION console.drop_operator_events;
      DROP TABLE console.operator_event;
      DROP FUNCTION console.operator_event_stays;
    `);
  }
}
