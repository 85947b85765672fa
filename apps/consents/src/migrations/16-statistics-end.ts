import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The daily statistics of calls have an end. */
export class StatisticsEnd1700000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      GRANT DELETE ON consents.call_statistics TO xs2a_consents;
      GRANT UPDATE ON consents.call_batch TO xs2a_consents;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE DELETE ON consents.call_statistics FROM xs2a_consents;
      REVOKE UPDATE ON consents.call_batch FROM xs2a_consents;
    `);
  }
}
