import { withoutValueStatistics, withValueStatistics } from '@xs2a/migrations/without-value-statistics';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const personal = [
  { schema: 'notifications', table: 'notification', columns: { uri: null, last_failure: null } },
] as const;

/** PostgreSQL's statistics have no personal data: they would keep them after the rows are gone. */
export class WithoutValueStatistics1796050000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const columns of personal) await withoutValueStatistics(runner, columns);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const columns of personal) await withValueStatistics(runner, columns);
  }
}
