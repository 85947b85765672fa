import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Removes the read model `payment_event_index` (ADR 10). An instance of the release before follows the projections that the
 * registry names: once its row is gone, in the same transaction as its tables, the instance leaves it alone.
 */
export class WithoutEventIndex1700000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Waits for the batch under way; an instance that finds the row locked passes it over.
    const builds = (await runner.query(
      `DELETE FROM payments.projection WHERE name = 'payment_event_index' RETURNING build`,
    )) as [readonly { readonly build: number }[], number];
    await runner.query('DROP VIEW IF EXISTS payments.payment_event_index');
    for (const { build } of builds[0])
      await runner.query(`DROP TABLE IF EXISTS payments.payment_event_index_${build}`);
  }

  async down(): Promise<void> {
    // Nothing: what was removed stood in the log, the events and the status views as well.
  }
}
