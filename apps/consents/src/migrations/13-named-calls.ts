import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The calls that were counted last, by name, so that one that comes again counts once: beside the calls, for one statement. */
export class NamedCalls1700000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE consents.access_window ADD COLUMN call_ids uuid[] NOT NULL DEFAULT '{}';
      COMMENT ON COLUMN consents.access_window.call_ids IS
        'names of the calls that were counted last, at most as many as may be made in a day';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE consents.access_window DROP COLUMN call_ids');
  }
}
