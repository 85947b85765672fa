import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The calls of one trace. While the index is built, gateways keep their calls and send them again. */
export class CallTrace1796600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX call_of_trace ON console.call (trace_id) WHERE trace_id IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX console.call_of_trace');
  }
}
