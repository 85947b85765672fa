import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = `
-- Actions on many things at once, such as sending all dead letters again. The id is that of the action (operator_event).
CREATE TABLE console.job (
  job_id uuid PRIMARY KEY,
  act text NOT NULL,
  target text NOT NULL,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'paused', 'ended')),
  began_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE TABLE console.job_item (
  job_id uuid NOT NULL REFERENCES console.job ON DELETE CASCADE,
  number int NOT NULL,
  item text NOT NULL,
  outcome text CHECK (outcome IN ('done', 'nothing-to-do', 'refused')),
  ended_at timestamptz,
  PRIMARY KEY (job_id, number)
);
CREATE INDEX job_item_open ON console.job_item (job_id, number) WHERE outcome IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON console.job, console.job_item TO xs2a_console;
`;

/** Jobs of the staff, which one instance runs. */
export class Jobs1796900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE console.job_item; DROP TABLE console.job');
  }
}
