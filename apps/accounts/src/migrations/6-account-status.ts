import { accountStatusRight } from '@xs2a/core-banking/sandbox/accounts/account-status';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An account of the sandbox can be blocked, closed and opened again. */
export class AccountStatus1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(accountStatusRight('xs2a_accounts'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE UPDATE (status) ON account FROM xs2a_accounts');
  }
}
