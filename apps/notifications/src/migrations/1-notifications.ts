import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of notifications and, for each service whose changes are read, how far that has come. */
export class Notifications1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notifications.checkpoint (
        source text PRIMARY KEY,
        pos bigint NOT NULL
      );
      COMMENT ON COLUMN notifications.checkpoint.pos IS 'position in the log of the service: everything up to it is in notification';

      CREATE TABLE notifications.notification (
        notification_id uuid PRIMARY KEY,
        resource_id uuid NOT NULL,
        pos bigint NOT NULL,
        part int NOT NULL,
        tpp_id text NOT NULL,
        uri text NOT NULL,
        body text NOT NULL,
        state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
        next_try_at timestamptz,
        failures int NOT NULL DEFAULT 0,
        first_failed_at timestamptz,
        last_failure text,
        created_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        CHECK (state = 'waiting' OR next_try_at IS NULL),
        CHECK ((state = 'waiting') = (ended_at IS NULL))
      ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
      CREATE INDEX notification_waiting ON notifications.notification (resource_id, pos, part) WHERE state = 'waiting';
      CREATE INDEX notification_due ON notifications.notification (tpp_id, next_try_at) WHERE next_try_at IS NOT NULL;
      CREATE INDEX notification_oldest ON notifications.notification (created_at) WHERE state = 'waiting';
      CREATE INDEX notification_ended ON notifications.notification (state, ended_at) WHERE ended_at IS NOT NULL;
      COMMENT ON COLUMN notifications.notification.notification_id IS 'the X-Request-ID of all tries';
      COMMENT ON COLUMN notifications.notification.pos IS 'of the event; with part the order within a resource';
      COMMENT ON COLUMN notifications.notification.body IS 'the JSON that is sent and signed, byte for byte';
      COMMENT ON COLUMN notifications.notification.next_try_at IS
        'real time; only the first one of a resource that waits has it, the others wait for that one';

      GRANT SELECT, INSERT, UPDATE ON notifications.checkpoint TO xs2a_notifications;
      GRANT SELECT, INSERT, UPDATE, DELETE ON notifications.notification TO xs2a_notifications;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notifications.notification, notifications.checkpoint');
  }
}
