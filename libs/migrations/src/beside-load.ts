// Helpers of migrations that run while services write: each statement holds a lock that writers wait for only for a moment.
import type { QueryRunner } from 'typeorm';
import { setTimeout as wait } from 'node:timers/promises';

type Session = Pick<QueryRunner, 'query'>;

const rowsAtOnce = 2000;
const maxPauseMs = 100;
/** Somebody had the lock for long (55P03), or two waited for each other (40P01): nothing was done, it is tried again. */
const passing = new Set<unknown>(['55P03', '40P01']);

export const isPassing = (error: unknown): boolean => passing.has(Reflect.get(Object(error), 'code'));

export interface Backfill {
  /** The name of the table with its schema, as SQL. */
  readonly table: string;
  /** The column of the primary key, and its type. */
  readonly key: string;
  readonly keyType: 'uuid' | 'bigint' | 'text';
  /** The assignments behind SET: `due_at = …`; the row is called `t`. */
  readonly set: string;
  /** Which rows need it; the row is called `t`. A row that has it already must not be among them: a migration may be repeated. */
  readonly where: string;
}

/**
 * Fills rows a few thousand at a time, each page in a transaction of its own, with a pause of a tenth of a second at most after each. Only for a
 * migration with `transaction = false`. Answers how many rows it changed.
 */
export const backfill = async (
  session: Session,
  { table, key, keyType, set, where }: Backfill,
): Promise<number> => {
  let changed = 0;
  let after: string | undefined;
  for (;;) {
    const begun = performance.now();
    const text = `WITH page AS (
        SELECT ${key} AS key FROM ${table} ${after === undefined ? '' : `WHERE ${key} > $1::${keyType}`}
        ORDER BY ${key} LIMIT ${rowsAtOnce}
      ), filled AS (
        UPDATE ${table} t SET ${set} FROM page WHERE t.${key} = page.key AND (${where}) RETURNING 1
      )
      SELECT (SELECT key::text FROM page ORDER BY key DESC LIMIT 1) AS last, (SELECT count(*) FROM filled)::int AS changed`;
    const page = await oncePassed(
      async () => (await session.query(text, after === undefined ? [] : [after])) as Page,
    );
    const [{ last, changed: more } = { last: null, changed: 0 }] = page;
    changed += more;
    if (last === null) return changed;
    after = last;
    await wait(Math.min(performance.now() - begun, maxPauseMs));
  }
};
type Page = readonly { readonly last: string | null; readonly changed: number }[];

/**
 * Makes an index while others write; one that an interrupted run left half made is made anew. Only for a migration with
 * `transaction = false`. `on`: as behind ON.
 */
export const indexBesideLoad = async (
  session: Session,
  { schema, name, on }: { readonly schema: string; readonly name: string; readonly on: string },
): Promise<void> => {
  // It waits for all transactions that are older, and nobody waits for it meanwhile.
  await session.query('SET lock_timeout = 0');
  try {
    const [half] = (await session.query(
      `SELECT FROM pg_index WHERE indexrelid = to_regclass(format('%I.%I', $1::text, $2::text)) AND NOT indisvalid`,
      [schema, name],
    )) as readonly unknown[];
    if (half !== undefined) await session.query(`DROP INDEX CONCURRENTLY "${schema}"."${name}"`);
    await session.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS "${name}" ON ${on}`);
  } finally {
    await session.query('RESET lock_timeout');
  }
};

const oncePassed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await wait(50);
    }
  }
};
