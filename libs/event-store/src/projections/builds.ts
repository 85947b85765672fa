import type { Pool, PoolClient } from 'pg';

/** The live build of a projection. */
export interface LiveBuild {
  readonly name: string;
  readonly build: number;
  readonly version: number;
  readonly pos: number;
}

/**
 * Returns the live build, locked for this transaction. Returns undefined if there is none or, with `SKIP LOCKED`,
 * if another instance is working on it.
 */
export const lockLive = async (
  client: PoolClient,
  name: string,
  whenLocked: 'SKIP LOCKED' | '' = '',
): Promise<LiveBuild | undefined> => {
  const { rows } = await client.query<LiveBuild>(
    `SELECT name, build, version, pos FROM projection WHERE name = $1 AND live FOR UPDATE ${whenLocked}`,
    [name],
  );
  return rows[0];
};

/** A compare-and-set: throws if the checkpoint has changed since it was read. */
export const moveCheckpoint = async (
  client: PoolClient,
  { name, build, pos }: Pick<LiveBuild, 'name' | 'build' | 'pos'>,
  to: number,
): Promise<void> => {
  const { rowCount } = await client.query({
    name: 'projection-move',
    text: 'UPDATE projection SET pos = $4 WHERE name = $1 AND build = $2 AND pos = $3',
    values: [name, build, pos, to],
  });
  if (rowCount !== 1) throw new Error(`the checkpoint of ${name} was moved by another process`);
};

/** Returns all builds of all projections, for operators. */
export const listProjections = async (
  pool: Pool,
): Promise<(LiveBuild & { readonly live: boolean; readonly behind: number })[]> => {
  const { rows } = await pool.query<LiveBuild & { live: boolean; behind: number }>({
    name: 'projection-list',
    text: `SELECT name, build, version, pos, live, (SELECT coalesce(max(pos), 0) FROM log) - pos AS behind
      FROM projection ORDER BY name, build`,
  });
  return rows;
};
