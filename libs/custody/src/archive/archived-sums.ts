import type { EventTypes } from '@xs2a/events/event-types';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool, PoolClient } from 'pg';
import type { Projection } from '@xs2a/event-store/projections/projection';
import { type LogPage, ProjectionLog } from '@xs2a/event-store/projections/projection-log';
import { archivedSumsTable } from '@xs2a/event-store/projections/projection.tables';
import { quotedName } from '@xs2a/event-store/streams/quoted-name';
import type { ArchivedMonth } from '@xs2a/event-store/months/archived-months';
import { rangesOfFile } from '@xs2a/event-store/months/archived-log';

/** The projections of a resource, with the event types that they read. */
export interface ArchivedProjections {
  readonly projections: readonly Projection[];
  readonly types: EventTypes;
}

export const noProjections: ArchivedProjections = { projections: [], types: {} };

const listSums = ({ projections }: ArchivedProjections): Projection[] =>
  projections.filter(({ sums }) => sums !== undefined);
const nextSums = ({ name }: Projection): string => quotedName(`${archivedSumsTable(name)}_next`);

/** The number of ranges whose effect is written in one transaction. */
const rangesAtOnce = 50;

/** Calls `write` with the events of each range of a file, several ranges per transaction. */
const projectRanges = async (
  pool: Pool,
  { types }: ArchivedProjections,
  projection: Projection,
  file: Pick<ArchivedMonth, 'month' | 'part'>,
  write: (client: PoolClient, log: ProjectionLog, page: LogPage) => Promise<void>,
): Promise<void> => {
  const log = new ProjectionLog(types);
  for await (const ranges of rangesOfFile(pool, file, rangesAtOnce))
    await inTransaction(pool, async (client) => {
      for (const { firstPos, lastPos } of ranges) {
        const range = { from: firstPos - 1, head: lastPos, size: lastPos - firstPos + 1 };
        await write(client, log, await log.page(client, projection, range));
      }
    });
};

/**
 * Calculates how much the events of a file contribute to each summing projection, and stores these sums with a
 * reference to the file. At this point, the events are still in the table, and the file's ranges have been
 * recorded.
 */
export const keepSums = async (
  pool: Pool,
  archived: ArchivedProjections,
  file: Pick<ArchivedMonth, 'month' | 'part'>,
): Promise<void> => {
  for (const projection of listSums(archived)) {
    const table = nextSums(projection);
    await pool.query(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${projection.columns})`);
    await projectRanges(pool, archived, projection, file, async (client, log, page) =>
      log.applyTo(client, projection, table, page),
    );
    const kept = quotedName(archivedSumsTable(projection.name));
    await inTransaction(pool, async (client) => {
      await client.query(`DELETE FROM ${kept} WHERE month = $1 AND part = $2`, [file.month, file.part]);
      await client.query(`INSERT INTO ${kept} SELECT $1, $2, sums.* FROM ${table} AS sums`, [
        file.month,
        file.part,
      ]);
      await client.query(`DROP TABLE ${table}`);
    });
  }
};

/** Removes the sums of a file once its events are back in the database. */
export const removeSums = async (
  client: PoolClient,
  archived: ArchivedProjections,
  { month, part }: Pick<ArchivedMonth, 'month' | 'part'>,
): Promise<void> => {
  for (const { name } of listSums(archived))
    await client.query(`DELETE FROM ${quotedName(archivedSumsTable(name))} WHERE month = $1 AND part = $2`, [
      month,
      part,
    ]);
};
