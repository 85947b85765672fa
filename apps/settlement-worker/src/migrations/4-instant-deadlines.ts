import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = `
ALTER TABLE settlement.instant_follow_up
  ADD COLUMN answer_by timestamptz;
COMMENT ON COLUMN settlement.instant_follow_up.answer_by IS
  'real time until which the payment waits for its answer, as decided when its hold was requested first; a crash does not move it';
`;

/** The deadline of an instant payment survives a crash. */
export class InstantDeadlines1795888800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE settlement.instant_follow_up DROP COLUMN answer_by');
  }
}
