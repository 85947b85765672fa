import type { Client } from 'pg';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '../../world/with-client.js';
import type { Measured } from '../growth.js';
import type { HistoryWorld } from '../history-world.js';

const listTables = `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname !~ '^(pg_|information_schema)' ORDER BY 1`;

interface Dumped {
  readonly seconds: number;
  readonly megabytes: number;
}

/** Copies all rows of all tables in one snapshot, each table to a file, as pg_dump does, which the sandbox's PostgreSQL lacks. */
const dumpAll = async (client: Client, file: string): Promise<Dumped> => {
  const { rows: tables } = await client.query<{ name: string }>(listTables);
  const { rows } = await client.query<{ bytes: string }>(
    'SELECT pg_database_size(current_database()) AS bytes',
  );
  const begun = performance.now();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  for (const { name } of tables) await client.query(`COPY ${name} TO '${file}'`);
  await client.query('COMMIT');
  return { seconds: (performance.now() - begun) / 1000, megabytes: Number(rows[0]?.bytes ?? 0) / 1e6 };
};

const dump = async ({ world: { sandbox } }: HistoryWorld): Promise<Dumped> => {
  const file = join(sandbox.dataDir, 'dump');
  try {
    return await withClient(sandbox.databaseUrl('postgres'), async (client) => dumpAll(client, file));
  } finally {
    rmSync(file, { force: true });
  }
};

const describe = ({ seconds, megabytes }: Dumped): string =>
  `${megabytes.toFixed(0)} MB in ${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(0)} MB/s`;

const quicker = (one: Dumped, other: Dumped): Dumped => (other.seconds < one.seconds ? other : one);

/** The faster of two dumps of each counts: the small database is already in memory, and so is the large one by then, if it fits. */
export const measureDump = async ([few, many]: readonly [HistoryWorld, HistoryWorld]): Promise<Measured> => {
  const [firstOfFew, firstOfMany] = [await dump(few), await dump(many)];
  const [ofFew, ofMany] = [quicker(firstOfFew, await dump(few)), quicker(firstOfMany, await dump(many))];
  return {
    name: 'dump',
    few: (ofFew.seconds * 1e6) / few.events,
    many: (ofMany.seconds * 1e6) / many.events,
    isLinear: true,
    note: `${describe(ofFew)} → ${describe(ofMany)}`,
  };
};
