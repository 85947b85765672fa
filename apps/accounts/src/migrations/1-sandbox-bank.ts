import { sandboxBankTables } from '@xs2a/core-banking/sandbox/sandbox-bank.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sandbox bank: customers, accounts, the double-entry ledger and the history. */
export class SandboxBank1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sandboxBankTables('xs2a_accounts'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE entry, transfer, account, ledger_account, signer, corporate, psu, setting',
    );
  }
}
