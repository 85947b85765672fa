import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last accesses under each consent, for the PSU's page (contract 12). */
export class RecentUses1795863600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE consents.consent_use ADD COLUMN recent timestamptz[] NOT NULL DEFAULT '{}';
      COMMENT ON COLUMN consents.consent_use.recent IS 'the last five uses, newest first';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE consents.consent_use DROP COLUMN recent');
  }
}
