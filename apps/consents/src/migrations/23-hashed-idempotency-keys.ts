import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Idempotency keys and the hashes of bodies are stored as HMACs; a row names the master key from which its hash key derives. Rows without a name are of the release before and end within 24 hours. */
export class HashedIdempotencyKeys1796050000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE consents.idempotency_key ADD COLUMN key_name text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE consents.idempotency_key DROP COLUMN key_name');
  }
}
