import { withKeyNames } from '@xs2a/postgres/idempotent-execution';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Idempotency keys and the hashes of bodies are stored as HMACs; a row names its hash key. */
export class HashedIdempotencyKeys1796050000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(withKeyNames('auth'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth.idempotency_key DROP COLUMN key_name');
  }
}
