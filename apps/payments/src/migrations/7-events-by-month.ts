import { eventTables } from '@xs2a/event-store/streams/event-store.tables';
import { divideEventsByMonth, joinEventsOfMonths } from '@xs2a/migrations/events-by-month';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const store = { schema: 'payments', role: 'xs2a_payments', view: 'payment_view' } as const;

/**
 * Events are kept in a partition for each month, and found by stream and version alone; the status view has the hash that
 * the next event of the stream names. Copies all events: the service is stopped meanwhile.
 */
export class EventsByMonth1700000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await divideEventsByMonth(runner, store, eventTables(store.schema, store.role));
  }

  async down(runner: QueryRunner): Promise<void> {
    await joinEventsOfMonths(runner, store);
  }
}
