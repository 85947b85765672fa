import type { Pool, PoolClient } from 'pg';

/** How far a projection has read the log. */
export interface Checkpoint {
  readonly name: string;
  /** The version whose rows are in the table. {@link paused} while a rebuild changes it. */
  readonly version: number;
  /** Everything up to this position of the log is in the table. */
  readonly pos: number;
}

/** The version of a projection that no release writes, because its rows are being changed to another version. */
export const paused = 0;

/** Locks the checkpoint for this transaction. Undefined if there is none or, with `SKIP LOCKED`, if it is locked. */
export const lockCheckpoint = async (
  client: PoolClient,
  name: string,
  whenLocked: 'SKIP LOCKED' | '' = '',
): Promise<Checkpoint | undefined> => {
  const { rows } = await client.query<Checkpoint>(
    `SELECT name, version, pos FROM projection WHERE name = $1 FOR UPDATE ${whenLocked}`,
    [name],
  );
  return rows[0];
};

/** A compare-and-set: throws if the checkpoint has changed since it was read. */
export const moveCheckpoint = async (
  client: PoolClient,
  { name, pos }: Pick<Checkpoint, 'name' | 'pos'>,
  to: number,
): Promise<void> => {
  const { rowCount } = await client.query({
    name: 'projection-move',
    text: 'UPDATE projection SET pos = $3 WHERE name = $1 AND pos = $2',
    values: [name, pos, to],
  });
  if (rowCount !== 1) throw new Error(`the checkpoint of ${name} was moved by another process`);
};

/** Returns all projections, and how many positions each is behind the log. */
export const listProjections = async (pool: Pool): Promise<(Checkpoint & { readonly behind: number })[]> => {
  const { rows } = await pool.query<Checkpoint & { behind: number }>({
    name: 'projection-list',
    text: `SELECT name, version, pos, (SELECT coalesce(max(pos), 0) FROM log) - pos AS behind
      FROM projection ORDER BY name`,
  });
  return rows;
};
