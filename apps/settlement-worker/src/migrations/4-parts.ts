import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An unfinished transaction may be an occurrence of a periodic order or an entry of a bulk payment. */
export class Parts1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE settlement.unfinished ADD COLUMN part_of_payment uuid, ADD COLUMN part_number int,
        ADD CONSTRAINT part_is_whole CHECK ((part_of_payment IS NULL) = (part_number IS NULL));
      COMMENT ON COLUMN settlement.unfinished.payment_id IS 'the id under which the transaction is booked';
      COMMENT ON COLUMN settlement.unfinished.part_of_payment IS
        'of an occurrence or an entry: its periodic order or bulk payment; null: a single payment';
      COMMENT ON COLUMN settlement.unfinished.part_number IS 'of an occurrence or an entry, from 1';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE settlement.unfinished DROP COLUMN part_of_payment, DROP COLUMN part_number',
    );
  }
}
