import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a PSU's latest failures of SCA were, for the bank's support. */
export class FailureTimes1795950000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.psu_sca ADD COLUMN failed_at timestamptz[] NOT NULL DEFAULT '{}';
      COMMENT ON COLUMN auth.psu_sca.failed_at IS 'the latest ten wrong passwords and codes, newest first';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth.psu_sca DROP COLUMN failed_at');
  }
}
