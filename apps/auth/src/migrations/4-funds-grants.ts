import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a PSU granted for funds confirmation is found by the PSU. */
export class FundsGrants1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "CREATE INDEX grant_for_funds ON auth.grant_binding (psu_id, client_id) WHERE scope = 'PSP_IC'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX auth.grant_for_funds');
  }
}
