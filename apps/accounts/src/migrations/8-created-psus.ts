import { createdPsuTable } from '@xs2a/core-banking/sandbox/sandbox-bank.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which TPP created which people of the sandbox. People created before belong to no TPP. */
export class CreatedPsus1795889400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createdPsuTable);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE accounts.created_psu');
  }
}
