import { idempotencyTable } from '@xs2a/postgres/idempotent-execution';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Repeated registrations are recognised (contract 2). */
export class AuthAttempts1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(idempotencyTable('auth', 'xs2a_auth'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.idempotency_key');
  }
}
