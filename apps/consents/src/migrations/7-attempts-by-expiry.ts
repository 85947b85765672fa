import { attemptsByExpiry, attemptsBySummary } from '@xs2a/migrations/event-store-history';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Idempotency keys that no longer count are found at once, however many others there are. */
export class AttemptsByExpiry1700000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(attemptsByExpiry('consents'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(attemptsBySummary('consents'));
  }
}
