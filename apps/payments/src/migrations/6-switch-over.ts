import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = `
-- The bank's switch-over from leva to euro, which happens once. The operator's command writes it.
CREATE TABLE payments.switch_over (
  once boolean PRIMARY KEY DEFAULT true CHECK (once),
  at timestamptz NOT NULL,
  target text NOT NULL,
  phase text NOT NULL CHECK (phase IN ('planned', 'settling', 'converting', 'done')),
  begun json,
  report json
);
COMMENT ON COLUMN payments.switch_over.at IS 'the start of the first day in euro';
COMMENT ON COLUMN payments.switch_over.target IS 'the profile that holds once it is done';
COMMENT ON COLUMN payments.switch_over.begun IS 'what was counted before the conversion began; null until then';
GRANT SELECT ON payments.switch_over TO xs2a_payments;
`;

/** Where the switch-over to euro is planned and reported. */
export class SwitchOver1795887000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.switch_over');
  }
}
