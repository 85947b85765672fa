import { withoutValueStatistics, withValueStatistics } from '@xs2a/migrations/without-value-statistics';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const personal = [
  { schema: 'auth', table: 'challenge', columns: { psu_id: 0.5 } },
  { schema: 'auth', table: 'grant_binding', columns: { psu_id: 0.5 } },
  { schema: 'auth', table: 'page_session', columns: { state: null } },
  { schema: 'auth', table: 'psu_sca', columns: { psu_id: null } },
] as const;

/** PostgreSQL's statistics have no personal data: they would keep them after the rows are gone. */
export class WithoutValueStatistics1796050000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const columns of personal) await withoutValueStatistics(runner, columns);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const columns of personal) await withValueStatistics(runner, columns);
  }
}
