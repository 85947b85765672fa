import { firstEventStoreTables } from '@xs2a/migrations/event-store-history';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The consents' events and status view, the counters of AIS calls, and when a consent was last used. */
export class Consents1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(firstEventStoreTables('consents', 'xs2a_consents'));
    await runner.query(`
      CREATE TABLE consents.consent_view (
        stream_id uuid PRIMARY KEY,
        version int NOT NULL,
        state jsonb NOT NULL,
        tpp_id text NOT NULL,
        psu_id text,
        status text NOT NULL,
        recurring boolean NOT NULL,
        due_at timestamptz
      );
      CREATE INDEX consent_due ON consents.consent_view (due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX consent_of_psu ON consents.consent_view (psu_id, stream_id DESC) WHERE psu_id IS NOT NULL;
      CREATE INDEX consent_in_force ON consents.consent_view (psu_id, tpp_id) WHERE status = 'valid' AND recurring;

      CREATE TABLE consents.access_window (
        consent_id uuid NOT NULL,
        endpoint text NOT NULL,
        resource_id text NOT NULL,
        one_off boolean NOT NULL,
        most smallint NOT NULL,
        calls bigint[] NOT NULL,
        PRIMARY KEY (consent_id, endpoint, resource_id)
      ) WITH (fillfactor = 70);
      CREATE INDEX access_window_one_off ON consents.access_window (consent_id) WHERE one_off;
      COMMENT ON COLUMN consents.access_window.calls IS
        'epoch microseconds of the counted calls, oldest first; the last three digits only tell calls of one millisecond apart';

      CREATE FUNCTION consents.in_window(calls bigint[], one_off boolean, now bigint) RETURNS bigint[]
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE WHEN one_off THEN calls
          ELSE ARRAY(SELECT call FROM unnest(calls) AS call WHERE call > now - 86400000000) END;
      COMMENT ON FUNCTION consents.in_window IS
        'the calls that still count at a moment: those of the last 24 hours, of a one-off consent all';

      CREATE TABLE consents.consent_use (
        consent_id uuid PRIMARY KEY,
        last_used_at timestamptz NOT NULL
      ) WITH (fillfactor = 70);

      GRANT EXECUTE ON FUNCTION consents.in_window TO xs2a_consents;
      GRANT SELECT, INSERT, UPDATE ON consents.consent_view TO xs2a_consents;
      GRANT SELECT, INSERT, UPDATE, DELETE ON consents.access_window TO xs2a_consents;
      GRANT SELECT, INSERT, UPDATE ON consents.consent_use TO xs2a_consents;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION consents.in_window;
      DROP TABLE consents.consent_use, consents.access_window, consents.consent_view,
        consents.idempotency_key, consents.log, consents.unsequenced, consents.events`);
  }
}
