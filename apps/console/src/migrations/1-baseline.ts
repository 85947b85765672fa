import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
COMMENT ON SCHEMA console IS 'what operators see: the calls of the API';
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
