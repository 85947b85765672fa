import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes that a PSU did not use are counted; browsers in which a PSU completed SCA have a count of failures of their own. */
export class CodesAndBrowsers1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX challenge_unused ON auth.challenge (psu_id, expires_at) WHERE used_at IS NULL;
      CREATE TABLE auth.known_browser (
        id_hash bytea PRIMARY KEY,
        failures int NOT NULL DEFAULT 0,
        locked_until timestamptz,
        changed_at timestamptz NOT NULL
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON auth.known_browser TO xs2a_auth`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.known_browser; DROP INDEX auth.challenge_unused');
  }
}
