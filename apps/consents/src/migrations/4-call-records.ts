import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The consents of a TPP are listed. What the gateways count: calls by day and endpoint, and the PSU addresses that came with the calls of a consent. */
export class CallRecords1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE consents.call_statistics (
        day date NOT NULL,
        endpoint text NOT NULL,
        api text NOT NULL,
        calls bigint NOT NULL,
        refused bigint NOT NULL,
        failed bigint NOT NULL,
        total_ms float8 NOT NULL,
        PRIMARY KEY (day, endpoint)
      ) WITH (fillfactor = 70);
      CREATE TABLE consents.psu_address (
        consent_id uuid NOT NULL,
        day date NOT NULL,
        address text NOT NULL,
        tpp_id text NOT NULL,
        calls int NOT NULL,
        from_tpp int NOT NULL,
        PRIMARY KEY (consent_id, day, address)
      ) WITH (fillfactor = 70);
      CREATE INDEX psu_address_day ON consents.psu_address (day);
      COMMENT ON COLUMN consents.psu_address.address IS 'empty: further addresses of that day together';
      CREATE INDEX consent_of_tpp ON consents.consent_view (tpp_id, stream_id DESC);
      CREATE TABLE consents.call_batch (batch_id uuid PRIMARY KEY, recorded_at timestamptz NOT NULL);
      GRANT SELECT, INSERT, UPDATE ON consents.call_statistics TO xs2a_consents;
      GRANT SELECT, INSERT, UPDATE, DELETE ON consents.psu_address TO xs2a_consents;
      GRANT SELECT, INSERT, DELETE ON consents.call_batch TO xs2a_consents;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX consents.consent_of_tpp;
      DROP TABLE consents.call_batch, consents.psu_address, consents.call_statistics`);
  }
}
