import { simulationTable } from '@xs2a/core-banking/sandbox/simulations';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a TPP makes happen next to a PSU of the sandbox. */
export class Simulations1700000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(simulationTable('xs2a_accounts'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE simulation');
  }
}
