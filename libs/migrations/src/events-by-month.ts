import type { QueryRunner } from 'typeorm';
import { makeMonthsFor } from './event-months.js';
import { eventsInOneTable, setEventsAside, takeEventsOver } from './event-store-history.js';

interface EventStoreOfService {
  readonly schema: string;
  /** The database role of the service. */
  readonly role: string;
  /** The status view that is written together with the events. */
  readonly view: string;
}

/**
 * Moves the events of a service from one table into a partition for each month, and adds to each row of the status view
 * the hash of the stream's last event. `tables`: SQL that creates the new tables. Copies all events, so the service has to
 * be stopped meanwhile. Throws the error of PostgreSQL when a row of the view has no event.
 */
export const divideEventsByMonth = async (
  runner: QueryRunner,
  { schema, view }: EventStoreOfService,
  tables: string,
): Promise<void> => {
  await runner.query(setEventsAside(schema));
  await runner.query(tables);
  await makeMonthsFor(runner, schema, 'events_before');
  await runner.query(takeEventsOver(schema, view));
};

/** The way back: all events of the service in one table again. */
export const joinEventsOfMonths = async (
  runner: QueryRunner,
  { schema, role, view }: EventStoreOfService,
): Promise<void> => {
  await runner.query(eventsInOneTable(schema, role, view));
};
