import { indexBesideLoad } from '@xs2a/migrations/index-beside-load';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Transfers are found by the payment that they belong to: the check of the ledger against the payments goes through these in pages. */
export class TransfersByPayment1700000000009 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexBesideLoad(runner, {
      schema: 'accounts',
      name: 'transfer_of_payment',
      table: 'transfer',
      columns: '(payment_id) WHERE payment_id IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX accounts.transfer_of_payment');
  }
}
