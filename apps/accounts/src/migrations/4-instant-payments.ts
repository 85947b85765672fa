import { instantTables } from '@xs2a/core-banking/sandbox/instant/instant.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sandbox bank's instant payments: their outcomes. */
export class InstantPayments1795886100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(instantTables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE UPDATE (book_at, details) ON accounts.entry FROM xs2a_accounts;
      DROP TABLE accounts.instant_order;
    `);
  }
}
