import { indexUnderLoad } from '@xs2a/migrations/index-under-load';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The payments of one TPP or PSU, by the time of the POST. */
const indexes = {
  payment_of_tpp_by_day: '(tpp_id, created_at, amount_minor)',
  payment_of_psu_by_day: '(psu_id, created_at) WHERE psu_id IS NOT NULL',
  // Few payments have several signers, so those of a day are read to find those of one signer.
  payment_of_signers_by_day: '(created_at) WHERE signers IS NOT NULL',
};

export class PaymentSearchIndexes1795777200002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(indexes))
      await indexUnderLoad(runner, { schema: 'payments', table: 'payment_view', name, columns });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(indexes)) await runner.query(`DROP INDEX payments.${name}`);
  }
}
