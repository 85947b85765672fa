import { transferLegs } from '@xs2a/core-banking/sandbox/sandbox-bank.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fees and changes of currency are legs of a payment. */
export class TransferLegs1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(transferLegs);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE transfer DROP COLUMN leg');
  }
}
