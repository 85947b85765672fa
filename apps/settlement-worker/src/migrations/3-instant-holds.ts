import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = `
ALTER TABLE settlement.instant_follow_up
  ADD COLUMN sent boolean NOT NULL DEFAULT true,
  ADD COLUMN hold_until timestamptz;
COMMENT ON TABLE settlement.instant_follow_up IS
  'instant payments whose hold was requested and is not recorded, and rejected ones of which the bank did not say whether the payee was paid, or did not void the hold';
COMMENT ON COLUMN settlement.instant_follow_up.sent IS
  'whether the order may have been sent without an answer; otherwise only the hold has to be voided';
COMMENT ON COLUMN settlement.instant_follow_up.hold_until IS
  'real time until which a requested hold may still be placed; null if none was requested';
`;

/** What is left to do for instant payments whose hold was requested before a crash. */
export class InstantHolds1795887600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE settlement.instant_follow_up DROP COLUMN sent, DROP COLUMN hold_until');
  }
}
