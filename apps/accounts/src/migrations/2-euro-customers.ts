import { euroCustomerColumns } from '@xs2a/core-banking/sandbox/sandbox-bank.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The names and limits of the sandbox bank's customers that payments in euro need (contract E8.4). */
export class EuroCustomers1795875600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(euroCustomerColumns);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounts.account DROP COLUMN holders, DROP COLUMN instant_limit;
      ALTER TABLE accounts.corporate DROP COLUMN other_names, DROP COLUMN eik, DROP COLUMN payee_verification_opt_out;
    `);
  }
}
