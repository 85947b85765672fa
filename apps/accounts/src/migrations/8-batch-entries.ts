import { batchEntries, withoutBatchEntries } from '@xs2a/core-banking/sandbox/sandbox-bank.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments of a batch are one entry in the debtor's history. */
export class BatchEntries1700000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(batchEntries('xs2a_accounts'));
  }

  /** Fails while there are entries of batches. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(withoutBatchEntries);
  }
}
