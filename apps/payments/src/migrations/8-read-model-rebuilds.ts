import { rebuildTable } from '@xs2a/event-store/projections/read-model-report';
import { copyVerificationTable } from '@xs2a/event-store/verification/copy-verification';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the two tables that the console reads through this service: `read_model_rebuild` with the latest rebuild of each read model,
 * and `copy_verification` with the latest comparison of the log with its JetStream copy.
 */
export class ReadModelRebuilds1797100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rebuildTable('payments', 'xs2a_payments'));
    await runner.query(copyVerificationTable('payments', 'xs2a_payments'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.read_model_rebuild, payments.copy_verification');
  }
}
