import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = `
-- The certificate that each TPP presented in the latest of its calls.
CREATE TABLE console.tpp_certificate (
  tpp_id text PRIMARY KEY,
  ends_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON console.tpp_certificate TO xs2a_console;
`;

/** When the certificates of TPPs end, which only the gateways see. */
export class TppCertificates1797000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE console.tpp_certificate');
  }
}
