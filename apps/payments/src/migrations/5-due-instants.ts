import { indexUnderLoad } from '@xs2a/migrations/index-under-load';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isInstantRow } from '../settle/due-instants.js';

const name = 'payment_instant_due';

/** The instant payments that have not ended: at most the few of the last ten seconds, and those of a later day. */
export class DueInstants1795860000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const columns = `(due_at, stream_id) WHERE due_at IS NOT NULL AND ${isInstantRow}`;
    await indexUnderLoad(runner, { schema: 'payments', table: 'payment_view', name, columns });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX payments.${name}`);
  }
}
