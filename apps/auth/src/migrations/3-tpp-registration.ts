import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who a TPP is by its certificates, since when its tokens count, and which state of a registration is the newer one. */
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
