import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = `
CREATE TABLE settlement.instant_follow_up (
  payment_id uuid PRIMARY KEY,
  added_at timestamptz NOT NULL DEFAULT now(),
  attempts int NOT NULL DEFAULT 0,
  retry_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,
  part_of_payment uuid,
  part_number int,
  CONSTRAINT part_is_whole CHECK ((part_of_payment IS NULL) = (part_number IS NULL))
);
COMMENT ON TABLE settlement.instant_follow_up IS
  'rejected instant payments of which the bank did not say whether the payee was paid, or did not void the hold';
COMMENT ON COLUMN settlement.instant_follow_up.retry_at IS 'real time';
COMMENT ON COLUMN settlement.instant_follow_up.confirmed_at IS
  'when the bank confirmed that the payee was paid: an operator has to settle it; null while it is unknown';
GRANT SELECT, INSERT, UPDATE, DELETE ON settlement.instant_follow_up TO xs2a_settlement;
`;

/** What is left to do for instant payments that were rejected without an answer. */
export class InstantFollowUps1795860000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE settlement.instant_follow_up');
  }
}
