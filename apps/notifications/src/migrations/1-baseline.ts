import { withoutValueStatistics } from '@xs2a/migrations/without-value-statistics';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
-- How far the log of payments and that of consents has been read.
CREATE TABLE notifications.checkpoint (
  source text PRIMARY KEY,
  pos bigint NOT NULL
);
COMMENT ON COLUMN notifications.checkpoint.pos IS 'position in the log of the service: everything up to it is in notification';

-- Resources whose changes could not be read when it was their turn; they are read again later.
CREATE TABLE notifications.unread_resource (
  source text NOT NULL,
  resource_id uuid NOT NULL,
  pos bigint NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source, resource_id)
);
COMMENT ON TABLE notifications.unread_resource IS
  'resources whose changes the service could not read: their notifications wait, those of all others go on';
COMMENT ON COLUMN notifications.unread_resource.pos IS
  'position in the log of the service: what changed from here up to the checkpoint is not in notification';

-- One row for each notification. Rows are updated at each try, so pages keep free space and are vacuumed early.
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
GRANT SELECT, INSERT, UPDATE, DELETE ON notifications.unread_resource, notifications.notification TO xs2a_notifications;
`;

/** The tables of version 0.1.0. */
export class NotificationsBaseline1795700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    // PostgreSQL's statistics would keep personal data after the rows are gone.
    await withoutValueStatistics(runner, {
      schema: 'notifications',
      table: 'notification',
      columns: { uri: null, last_failure: null },
    });
  }

  async down(): Promise<void> {
    throw new Error('nothing precedes the baseline; drop the schema instead');
  }
}
