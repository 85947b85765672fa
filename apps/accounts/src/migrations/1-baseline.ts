import { sandboxBankTables } from '@xs2a/core-banking/sandbox/sandbox-bank.tables';
import { withoutValueStatistics } from '@xs2a/migrations/without-value-statistics';
import { idempotencyTable } from '@xs2a/postgres/idempotent-execution';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables of version 0.1.0: the sandbox bank, and the idempotency keys of `/sandbox` requests (contract 2). */
export class AccountsBaseline1795700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sandboxBankTables);
    await runner.query(idempotencyTable('accounts', 'xs2a_accounts'));
    // PostgreSQL's statistics would keep personal data after the rows are gone.
    const personal = { remittance: null, end_to_end_id: null, details: null };
    await withoutValueStatistics(runner, { schema: 'accounts', table: 'entry', columns: personal });
    await withoutValueStatistics(runner, { schema: 'accounts', table: 'batch_payment', columns: personal });
  }

  async down(): Promise<void> {
    throw new Error('nothing precedes the baseline; drop the schema instead');
  }
}
