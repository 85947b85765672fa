import type { MigrationInterface, QueryRunner } from 'typeorm';

/** PSU-IDs with which nobody ever signed in are told from customers: anybody can make them up, so they are kept shortly. */
export class UnknownPsus1700000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.psu_sca ADD COLUMN is_known boolean NOT NULL DEFAULT false;
      UPDATE auth.psu_sca SET is_known = true WHERE language IS NOT NULL;
      CREATE INDEX psu_sca_unknown ON auth.psu_sca (changed_at) WHERE NOT is_known`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth.psu_sca DROP COLUMN is_known');
  }
}
