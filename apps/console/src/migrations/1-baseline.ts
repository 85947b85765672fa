import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
COMMENT ON SCHEMA console IS 'what operators see: the processes of the services and the calls of the API';

CREATE TABLE console.instance (
  id uuid PRIMARY KEY,
  service text NOT NULL,
  host text NOT NULL,
  pid int NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL,
  last_pulse_at timestamptz NOT NULL,
  pulse jsonb NOT NULL,
  ended jsonb
);
COMMENT ON TABLE console.instance IS 'one row for each start of a process; ended is null while it runs, and if it was killed or crashed';
CREATE INDEX instance_last_pulse_at ON console.instance (last_pulse_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON console.instance TO xs2a_console;
`;

/** The tables of version 0.1.0. */
export class ConsoleBaseline1796300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(): Promise<void> {
    throw new Error('nothing precedes the baseline; drop the schema instead');
  }
}
