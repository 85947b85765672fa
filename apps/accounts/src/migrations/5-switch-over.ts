import { switchOverTables } from '@xs2a/core-banking/sandbox/switch-over/switch-over.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The column of accounts that were converted from leva to euro. */
export class SwitchOver1795887000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(switchOverTables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts.ledger_account DROP COLUMN converted_at');
  }
}
