import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When transactions were last reported, for delta reports: beside the calls, which one statement counts. */
export class Reports1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE consents.access_window ADD COLUMN reported_at bigint;
      COMMENT ON COLUMN consents.access_window.reported_at IS
        'epoch microseconds of the last report of what is booked up to then: where the next deltaList begins';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE consents.access_window DROP COLUMN reported_at');
  }
}
