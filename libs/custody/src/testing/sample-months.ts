import { newId } from '@xs2a/runtime/ids';
import { sampleResource } from '@xs2a/event-store/testing/sample-stream';
import type { ViewEnding } from '../custody-resource.js';
import { type Month, parseMonth } from '@xs2a/event-store/months/months';
import type { SampleDatabase } from '@xs2a/event-store/testing/sample-stream';

const sampleEnding: ViewEnding = {
  table: 'sample_view',
  columns: ['note'],
  isEnded: (row) => row['note'] !== 'open',
};
/** The sample streams, as they are archived. A stream whose note is `open` has not ended. */
export const archivedSample = { name: sampleResource.name, views: [sampleEnding] };

export const monthNamed = (name: string): Month => {
  const month = parseMonth(name);
  if (month === undefined) throw new Error(`${name} is no month`);
  return month;
};

/** The time at which the sample events are stored. */
export const storedAtMs = Date.parse('2026-04-20T12:00:00Z');
/** The time three months later, when March and April may be archived. */
export const archivedAtMs = Date.parse('2026-07-20T12:00:00Z');

/** Creates the partition for a month. */
export const makePartition = async (
  database: SampleDatabase,
  { partition, from, to }: Month,
): Promise<void> => {
  await database.sql(
    `CREATE TABLE payments.${partition} PARTITION OF payments.events FOR VALUES FROM ('${from}') TO ('${to}')`,
  );
};

/** Returns an id created on the 15th of a month. */
export const idIn = ({ name }: Month): string => {
  const time = Date.parse(`${name}-15T12:00:00Z`).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
};
