import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each new version of a row is written to every index. `payment_of_tpp_by_day` begins with the same column, and finds a TPP's
 * payments too.
 */
export class RedundantIndex1797200000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS payments.payment_of_tpp');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX CONCURRENTLY payment_of_tpp ON payments.payment_view (tpp_id) WHERE NOT hidden',
    );
  }
}
