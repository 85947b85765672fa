import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names with which nobody signed in are stored as HMACs. Those of before go, with their counts; `ANALYZE` removes them from the statistics. */
export class HashedNames1796050000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM auth.psu_sca WHERE NOT is_known');
    await runner.query('ANALYZE auth.psu_sca');
  }

  async down(): Promise<void> {
    // The names are gone.
  }
}
