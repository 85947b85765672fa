import {
  transferCompletions,
  transferCompletionsChecked,
} from '@xs2a/core-banking/sandbox/sandbox-bank.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A post or void names its hold without a foreign key. */
export class TransferCompletions1700000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(transferCompletions);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(transferCompletionsChecked);
  }
}
