import { logAnchorTable } from '@xs2a/event-store/verification/log-anchor';
import { createProjection, projectionTables } from '@xs2a/event-store/projections/projection.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { paymentProjections } from '../background/projections/payment-projections.js';

const [schema, role] = ['payments', 'xs2a_payments'] as const;

/** Projections that follow the log, and anchors of the log. A later version of a projection comes by rebuilding it. */
export class Projections1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(projectionTables(schema, role));
    await runner.query(logAnchorTable(schema, role));
    // The time zone decides what is written, not the tables.
    for (const projection of paymentProjections('UTC')) {
      await runner.query(createProjection(schema, role, projection));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of paymentProjections('UTC')) {
      const builds = (await runner.query(`SELECT build FROM payments.projection WHERE name = $1`, [
        name,
      ])) as {
        readonly build: number;
      }[];
      await runner.query(`DROP VIEW payments."${name}"`);
      for (const { build } of builds) await runner.query(`DROP TABLE payments."${name}_${build}"`);
    }
    await runner.query('DROP TABLE payments.projection, payments.log_anchor');
  }
}
