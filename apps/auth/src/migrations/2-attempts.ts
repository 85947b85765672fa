import { attemptTable } from '@xs2a/postgres/once';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Repeated registrations are recognised (contract 2). */
export class AuthAttempts1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(attemptTable('auth', 'xs2a_auth'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.attempt');
  }
}
