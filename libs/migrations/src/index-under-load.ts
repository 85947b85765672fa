// Makes an index of a large table while services write to it.
import type { QueryRunner } from 'typeorm';
import { onceUnlocked } from './lock-waits.js';

type Session = Pick<QueryRunner, 'query'>;

export interface Index {
  readonly schema: string;
  readonly name: string;
  readonly table: string;
  /** The part of the statement behind the table's name: `(due_at, stream_id) WHERE due_at IS NOT NULL`. */
  readonly columns: string;
}

/**
 * Makes an index by `CREATE INDEX CONCURRENTLY`, which waits for the transactions that are older while nobody waits for it; one that an
 * interrupted run left half built is built again. Of a table in partitions (`events`), which PostgreSQL refuses to do that way, the index
 * is made for each partition and joined to that of the whole. Only for a migration with `transaction = false`.
 */
export const indexUnderLoad = async (session: Session, index: Index): Promise<void> => {
  const { schema, name, table, columns } = index;
  const [whole] = await session.query(
    `SELECT FROM pg_class WHERE oid = to_regclass(format('%I.%I', $1::text, $2::text)) AND relkind = 'p'`,
    [schema, table],
  );
  if (whole === undefined) return makeOne(session, index);
  await onceUnlocked(async () =>
    session.query(`CREATE INDEX IF NOT EXISTS "${name}" ON ONLY "${schema}"."${table}" ${columns}`),
  );
  for (;;) {
    const partition = await firstWithout(session, index);
    if (partition === undefined) return;
    // PostgreSQL would cut a longer name off by itself, and the half-made index would not be found again.
    const own = `${partition}_${name}`.slice(0, 63);
    await makeOne(session, { schema, name: own, table: partition, columns });
    await onceUnlocked(async () =>
      session.query(`ALTER INDEX "${schema}"."${name}" ATTACH PARTITION "${schema}"."${own}"`),
    );
  }
};

const makeOne = async (session: Session, { schema, name, table, columns }: Index): Promise<void> => {
  // A wait for older transactions may be a long one, as for a dump.
  await session.query('SET lock_timeout = 0');
  try {
    const [half] = await session.query(
      `SELECT FROM pg_index WHERE indexrelid = to_regclass(format('%I.%I', $1::text, $2::text)) AND NOT indisvalid`,
      [schema, name],
    );
    if (half !== undefined) await session.query(`DROP INDEX CONCURRENTLY "${schema}"."${name}"`);
    await session.query(
      `CREATE INDEX CONCURRENTLY IF NOT EXISTS "${name}" ON "${schema}"."${table}" ${columns}`,
    );
  } finally {
    // An error here is left aside: only a connection that was lost fails, its setting is gone with it, and its next query fails too.
    await session.query('RESET lock_timeout').catch(() => undefined);
  }
};

/** The first partition whose index is not joined to that of the whole table yet. */
const firstWithout = async (
  session: Session,
  { schema, name, table }: Index,
): Promise<string | undefined> => {
  const [found] = (await session.query(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = to_regclass(format('%I.%I', $1::text, $2::text)) AND NOT EXISTS (
       SELECT FROM pg_index i JOIN pg_inherits joined ON joined.inhrelid = i.indexrelid
       WHERE i.indrelid = pg_class.oid AND joined.inhparent = to_regclass(format('%I.%I', $1::text, $3::text)))
     ORDER BY relname LIMIT 1`,
    [schema, table, name],
  )) as readonly { readonly name: string }[];
  return found?.name;
};
