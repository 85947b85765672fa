import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes that a new code replaced (contract 12, `decision=resend`). */
export class ReplacedCodes1795863600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.challenge ADD COLUMN replaced_at timestamptz;
      COMMENT ON COLUMN auth.challenge.replaced_at IS 'when a new code ended this one; it still counts as sent';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth.challenge DROP COLUMN replaced_at');
  }
}
