import { withoutValueStatistics, withValueStatistics } from '@xs2a/migrations/without-value-statistics';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const personal = [
  { schema: 'payments', table: 'payment_view', columns: { psu_id: 0.1, signers: null } },
] as const;

/** PostgreSQL's statistics have no personal data: they would keep them after the rows are gone. */
export class WithoutValueStatistics1796050000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const columns of personal) await withoutValueStatistics(runner, columns);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const columns of personal) await withValueStatistics(runner, columns);
  }
}
