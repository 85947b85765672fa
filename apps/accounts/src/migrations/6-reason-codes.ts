import { reasonCodesTables } from '@xs2a/core-banking/sandbox/instant/instant.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sandbox bank stores every ISO 20022 reason code, also those of four letters. */
export class ReasonCodes1795887600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(reasonCodesTables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts.instant_order DROP CONSTRAINT reason_code_is_iso');
  }
}
