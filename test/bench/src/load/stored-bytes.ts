import type { BenchWorld } from '../world/bench-world.js';

/** The number of bytes that PostgreSQL had stored and written at one point in time. */
export interface Stored {
  /** Bytes by schema and table, including indexes; partitions are added to their table. */
  readonly tables: ReadonlyMap<string, number>;
  /** The total bytes ever written to the write-ahead log. */
  readonly wal: number;
}

/** Reads the sizes of all the services' tables, and the position of the write-ahead log. */
export const readStored = async (world: BenchWorld): Promise<Stored> => {
  const rows = await world.query<{ name: string; bytes: string }>(
    `SELECT n.nspname || '.' || coalesce(p.relname, c.relname) AS name, sum(pg_total_relation_size(c.oid)) AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
     WHERE c.relkind = 'r' AND n.nspname !~ '^(pg_|information_schema)' GROUP BY 1`,
  );
  return {
    tables: new Map(rows.map(({ name, bytes }) => [name, Number(bytes)])),
    wal: await world.count("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS count"),
  };
};

interface Added {
  readonly name: string;
  readonly bytes: number;
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
const sum = (added: readonly Added[]): string => kilobytes(added.reduce((all, { bytes }) => all + bytes, 0));

/** True for tables whose rows are deleted after a day: those of the idempotency keys. */
const isForADay = ({ name }: Added): boolean => name.endsWith('.idempotency_key');
/** True for the ledger and account histories of the sandbox bank. A real bank stores these in its core system. */
const isOfTheBank = ({ name }: Added): boolean => name.startsWith('accounts.');
/**
 * True for tables of consents, to which payments add nothing. The benchmark's consents expire when it moves the
 * clock.
 */
const isOfConsents = ({ name }: Added): boolean => name.startsWith('consents.');

/**
 * Describes the bytes that one payment added, by retention: kept until the month is archived, deleted after a day,
 * and kept by the sandbox bank's ledger. Tables below 0.05 KB are left out.
 */
export const keptNote = (before: Stored, after: Stored, payments: number): string => {
  const added = [...after.tables]
    .map(([name, bytes]) => ({ name, bytes: (bytes - (before.tables.get(name) ?? 0)) / payments }))
    .filter((one) => one.bytes >= 50 && !isOfConsents(one))
    .sort((one, other) => other.bytes - one.bytes);
  const untilArchived = added.filter((one) => !isForADay(one) && !isOfTheBank(one));
  const forADay = added.filter((one) => isForADay(one) && !isOfTheBank(one));
  const tables = untilArchived.map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`).join(', ');
  return `KB kept of a payment until its month is archived: ${sum(untilArchived)} (${tables}); for a day ${sum(forADay)}; in the sandbox bank's ledger ${sum(added.filter(isOfTheBank))}; written to the WAL ${kilobytes((after.wal - before.wal) / payments)}`;
};
