import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A request is approved or refused once. */
export class Decisions1796800000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an interrupted run left is not valid.
    await this.down(runner);
    await runner.query(
      `CREATE UNIQUE INDEX CONCURRENTLY operator_event_decision ON console.operator_event (action_id)
       WHERE type IN ('approved', 'refused')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS console.operator_event_decision');
  }
}
