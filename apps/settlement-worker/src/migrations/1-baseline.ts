import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
-- Transactions that were begun and not finished, or that failed. Almost all rows are deleted within a second, so the table
-- is vacuumed by its number of dead rows, not by its size.
CREATE TABLE settlement.unfinished (
  payment_id uuid PRIMARY KEY,
  attempts int NOT NULL DEFAULT 0,
  retry_at timestamptz,
  last_failure text,
  begun_at timestamptz NOT NULL DEFAULT now(),
  part_of_payment uuid,
  part_number int,
  CONSTRAINT part_is_whole CHECK ((part_of_payment IS NULL) = (part_number IS NULL))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
COMMENT ON COLUMN settlement.unfinished.payment_id IS 'the id under which the transaction is booked';
COMMENT ON COLUMN settlement.unfinished.retry_at IS 'real time; set when it failed, and not tried before';
COMMENT ON COLUMN settlement.unfinished.part_of_payment IS
  'of an occurrence or an entry: its periodic order or bulk payment; null: a single payment';
COMMENT ON COLUMN settlement.unfinished.part_number IS 'of an occurrence or an entry, from 1';

-- Events that could not be handled. An operator may ask for a replay. An instance that replays one says since when, so that
-- another instance can take over.
CREATE TABLE settlement.dead_letter (
  consumer text NOT NULL,
  pos bigint NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  reason text NOT NULL,
  buried_at timestamptz NOT NULL DEFAULT now(),
  replay text CHECK (replay IN ('requested', 'under-way', 'failed')),
  replay_tries int NOT NULL DEFAULT 0,
  replay_since timestamptz,
  PRIMARY KEY (consumer, pos)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON settlement.unfinished TO xs2a_settlement;
GRANT SELECT, INSERT, DELETE ON settlement.dead_letter TO xs2a_settlement;
GRANT UPDATE (replay, replay_tries, replay_since, reason) ON settlement.dead_letter TO xs2a_settlement;
`;

/** The tables of version 0.1.0. Which payments are due is not among them: the payments service knows. */
export class SettlementBaseline1795700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(): Promise<void> {
    throw new Error('nothing precedes the baseline; drop the schema instead');
  }
}
