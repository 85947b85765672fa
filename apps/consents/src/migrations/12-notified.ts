import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The status view tells of which consents the TPP wants to be notified. None of those stored registered an address. */
export class Notified1700000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE consents.consent_view ADD COLUMN notified boolean;
      COMMENT ON COLUMN consents.consent_view.notified IS 'true: its changes are pushed; null: they are not';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE consents.consent_view DROP COLUMN notified');
  }
}
