import type { Pool, PoolClient } from 'pg';

/** The live build of a projection. */
export interface LiveBuild {
  readonly name: string;
  readonly build: number;
  readonly version: number;
  readonly pos: number;
}

/** The live build, locked for this transaction; undefined when another instance works on it (or there is none). */
export const claimLive = async (client: PoolClient, name: string): Promise<LiveBuild | undefined> => {
  const { rows } = await client.query<LiveBuild>({
    name: 'projection-claim',
    text: 'SELECT name, build, version, pos FROM projection WHERE name = $1 AND live FOR UPDATE SKIP LOCKED',
    values: [name],
  });
  return rows[0];
};

/** Compare and set: throws when the checkpoint is not where it was read. */
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
  if (rowCount !== 1) throw new Error(`the checkpoint of ${name} was moved by somebody else`);
};

/** The builds that readers see now. */
export const liveBuilds = async (session: Pool | PoolClient): Promise<LiveBuild[]> => {
  const { rows } = await session.query<LiveBuild>({
    name: 'projection-live',
    text: 'SELECT name, build, version, pos FROM projection WHERE live ORDER BY name',
  });
  return rows;
};

/** The live build, locked as soon as whoever has it is done. Throws when there is no such projection. */
export const lockLive = async (client: PoolClient, name: string): Promise<LiveBuild> => {
  const { rows } = await client.query<LiveBuild>(
    'SELECT name, build, version, pos FROM projection WHERE name = $1 AND live FOR UPDATE',
    [name],
  );
  if (rows[0] === undefined) throw new Error(`there is no projection ${name}`);
  return rows[0];
};

/** All builds of all projections, for operators. */
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
