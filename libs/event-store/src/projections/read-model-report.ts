import type { Pool } from 'pg';
import { logHead } from '../recovery/log-gaps.js';
import { quotedName } from '../streams/quoted-name.js';
import { listProjections } from './checkpoints.js';

/** SQL for a migration that creates `read_model_rebuild`. Only the schema's owner writes to the table; the service reads it. */
export const rebuildTable = (schema: string, serviceRole: string): string => {
  const table = `${quotedName(schema)}.read_model_rebuild`;
  return `
CREATE TABLE ${table} (
  name text PRIMARY KEY,
  rebuilt_at timestamptz NOT NULL
);
COMMENT ON TABLE ${table} IS 'when each read model was last rebuilt from its events as a whole';
GRANT SELECT ON ${table} TO ${quotedName(serviceRole)};
`;
};

/** Stores the current time as the latest rebuild of a read model. Requires a pool of the schema's owner. */
export const recordRebuild = async (pool: Pool, name: string): Promise<void> => {
  await pool.query({
    name: 'read-model-rebuilt',
    text: `INSERT INTO read_model_rebuild (name, rebuilt_at) VALUES ($1, now())
      ON CONFLICT (name) DO UPDATE SET rebuilt_at = EXCLUDED.rebuilt_at`,
    values: [name],
  });
};

interface Defined {
  /** The projections of a service, each with the version that this release writes. */
  readonly projections: readonly { readonly name: string; readonly version: number }[];
  /** The names of the status views. The transaction that appends an event also updates its row in the status view. */
  readonly views: readonly string[];
}

interface ReadModel {
  readonly name: string;
  readonly version?: number;
  readonly isOutdated: boolean;
  readonly pos: number;
  readonly behind: number;
  /** The time of the latest rebuild, as an ISO instant. */
  readonly rebuiltAt?: string;
}

/**
 * Returns for each read model of a service the log position that it has read up to, and the time of its latest rebuild. A status
 * view is always at the end of the log, because an event and its row in the view are written in one transaction.
 */
export const readModelReport = async (
  pool: Pool,
  { projections, views }: Defined,
): Promise<readonly ReadModel[]> => {
  // The checkpoint table exists only in the schemas of services with projections; querying it elsewhere would fail.
  const checkpoints = projections.length === 0 ? [] : await listProjections(pool);
  const head = await logHead(pool);
  const { rows } = await pool.query<{ readonly name: string; readonly rebuiltAt: Date }>({
    name: 'read-model-rebuilds',
    text: 'SELECT name, rebuilt_at AS "rebuiltAt" FROM read_model_rebuild',
  });
  const rebuilt = new Map(rows.map(({ name, rebuiltAt }) => [name, { rebuiltAt: rebuiltAt.toISOString() }]));
  return [
    ...checkpoints.map(({ name, version, pos, behind }) => ({
      name,
      version,
      isOutdated: version !== projections.find((one) => one.name === name)?.version,
      pos,
      behind: Math.max(0, behind),
      ...rebuilt.get(name),
    })),
    ...views
      .toSorted()
      .map((name) => ({ name, isOutdated: false, pos: head, behind: 0, ...rebuilt.get(name) })),
  ];
};
