import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The status view tells of which payments the TPP wants to be notified. None of those stored registered an address. */
export class Notified1700000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments.payment_view ADD COLUMN notified boolean;
      COMMENT ON COLUMN payments.payment_view.notified IS 'true: its changes are pushed; null: they are not';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.payment_view DROP COLUMN notified');
  }
}
