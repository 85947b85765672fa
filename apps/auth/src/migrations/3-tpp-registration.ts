import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds to each TPP its identity in certificates, the time since which its tokens count, and a number by which the
 * newer state of a registration is known.
 */
export class TppRegistration1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.tpp
        ADD COLUMN organization_identifier text,
        ADD COLUMN tokens_from timestamptz,
        ADD COLUMN version int NOT NULL DEFAULT 1`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE auth.tpp DROP COLUMN organization_identifier, DROP COLUMN tokens_from, DROP COLUMN version',
    );
  }
}
