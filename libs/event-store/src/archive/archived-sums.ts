import type { EventTypes } from '@xs2a/domain/event-types';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool, PoolClient } from 'pg';
import type { Projection } from '../projections/projection.js';
import { ProjectionLog } from '../projections/projection-log.js';
import { archivedSumsTable } from '../projections/projection.tables.js';
import { quotedName } from '../streams/quoted-name.js';
import type { ArchivedMonth } from './archived-months.js';
import type { ArchivedRange } from './archived-log.js';

/** The projections of a resource, and the event types that they read. */
export interface ArchivedProjections {
  readonly projections: readonly Projection[];
  readonly types: EventTypes;
}

export const noProjections: ArchivedProjections = { projections: [], types: {} };

const listSums = ({ projections }: ArchivedProjections): Projection[] =>
  projections.filter(({ sums }) => sums !== undefined);
const nextSums = ({ name }: Projection): string => quotedName(`${archivedSumsTable(name)}_next`);

/** Adds up what the events of the ranges contribute, in a table beside each projection that adds up. */
export const sumRanges = async (
  pool: Pool,
  archived: ArchivedProjections,
  ranges: readonly ArchivedRange[],
): Promise<void> => {
  const log = new ProjectionLog(archived.types);
  for (const projection of listSums(archived)) {
    const table = nextSums(projection);
    await pool.query(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${projection.columns})`);
    for (const { firstPos, lastPos } of ranges) {
      const size = lastPos - firstPos + 1;
      const page = await log.page(pool, projection, { from: firstPos - 1, head: lastPos, size });
      await inTransaction(pool, async (client) => log.applyTo(client, projection, table, page));
    }
  }
};

/** Keeps these sums for a file. */
export const keepSums = async (
  client: PoolClient,
  archived: ArchivedProjections,
  { month, part }: Pick<ArchivedMonth, 'month' | 'part'>,
): Promise<void> => {
  for (const projection of listSums(archived)) {
    await client.query(
      `INSERT INTO ${quotedName(archivedSumsTable(projection.name))} SELECT $1, $2, sums.* FROM ${nextSums(projection)} AS sums`,
      [month, part],
    );
    await client.query(`DROP TABLE ${nextSums(projection)}`);
  }
};

/** Forgets the sums of a file whose events are in the database. */
export const forgetSums = async (
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
