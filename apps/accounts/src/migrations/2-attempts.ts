import { idempotencyTable } from '@xs2a/postgres/idempotent-execution';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Repeated requests of the sandbox are recognised (contract 2). */
export class SandboxAttempts1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(idempotencyTable('accounts', 'xs2a_accounts'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE accounts.idempotency_key');
  }
}
