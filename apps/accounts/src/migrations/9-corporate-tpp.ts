import { corporateTppColumn } from '@xs2a/core-banking/sandbox/sandbox-bank.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which TPP created which corporate of the sandbox. Corporates created before are shared. */
export class CorporateTpp1795896000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(corporateTppColumn);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts.corporate DROP COLUMN tpp_id');
  }
}
