import { createArchivedSums } from '@xs2a/event-store/projections/projection.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { paymentVolumeDaily } from '../background/projections/payment-volume-daily.projection.js';

/** Payment statistics keep what archived payments contributed. */
export class ArchivedVolume1700000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The time zone decides what is written, not the table.
    await runner.query(createArchivedSums('payments', paymentVolumeDaily('UTC')));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.payment_volume_daily_archived');
  }
}
