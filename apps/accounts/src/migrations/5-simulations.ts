import { simulationTable } from '@xs2a/core-banking/sandbox/simulation/simulations';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of outcomes that a TPP has asked the sandbox to simulate for a PSU. */
export class Simulations1700000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(simulationTable('xs2a_accounts'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE simulation');
  }
}
