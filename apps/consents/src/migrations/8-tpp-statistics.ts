import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The same calls by TPP: who had how many, and how they went. */
export class TppStatistics1700000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE consents.tpp_statistics (
        day date NOT NULL,
        tpp_id text NOT NULL,
        api text NOT NULL,
        calls bigint NOT NULL,
        refused bigint NOT NULL,
        failed bigint NOT NULL,
        total_ms float8 NOT NULL,
        PRIMARY KEY (day, tpp_id, api)
      ) WITH (fillfactor = 70);
      COMMENT ON COLUMN consents.tpp_statistics.tpp_id IS 'empty: calls without a good token';
      GRANT SELECT, INSERT, UPDATE, DELETE ON consents.tpp_statistics TO xs2a_consents;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE consents.tpp_statistics');
  }
}
