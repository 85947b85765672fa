import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds an index by which the grants of a PSU for funds confirmation are found. */
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
