import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of resources whose changes could not be read when it was their turn, so that they are asked for again. */
export class UnreadResources1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
      GRANT SELECT, INSERT, UPDATE, DELETE ON notifications.unread_resource TO xs2a_notifications;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notifications.unread_resource');
  }
}
