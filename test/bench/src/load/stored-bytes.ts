import type { Client } from 'pg';

/** Bytes that PostgreSQL stores and has written at one moment. */
export interface Stored {
  /** By schema and table, with indexes; a partition counts for its table. */
  readonly tables: ReadonlyMap<string, number>;
  /** Total bytes ever written to the write-ahead log. */
  readonly wal: number;
}

/** Reads the sizes of all tables of the services, and the position of the write-ahead log. */
export const readStored = async (client: Client): Promise<Stored> => {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT n.nspname || '.' || coalesce(p.relname, c.relname) AS name, sum(pg_total_relation_size(c.oid)) AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
     WHERE c.relkind = 'r' AND n.nspname !~ '^(pg_|information_schema)' GROUP BY 1`,
  );
  const { rows: written } = await client.query<{ bytes: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes",
  );
  return {
    tables: new Map(rows.map(({ name, bytes }) => [name, Number(bytes)])),
    wal: Number(written[0]?.bytes ?? 0),
  };
};

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
const sum = (added: readonly Added[]): number => added.reduce((all, { bytes }) => all + bytes, 0);

interface Added {
  readonly name: string;
  readonly bytes: number;
}

/** The bytes that one payment added to each table, the largest first; tables below 0.05 KB are left out. */
const addedByTable = (before: Stored, after: Stored, payments: number): readonly Added[] =>
  [...after.tables]
    .map(([name, bytes]) => ({ name, bytes: (bytes - (before.tables.get(name) ?? 0)) / payments }))
    .filter(({ bytes }) => bytes >= 50)
    .sort((one, other) => other.bytes - one.bytes);

const listTables = (added: readonly Added[]): string =>
  added.map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`).join(', ');

/** The bytes that one payment added to each table, and to the write-ahead log. */
export const storedNote = (before: Stored, after: Stored, payments: number): string => {
  const added = addedByTable(before, after, payments);
  return `KB kept for a payment: ${kilobytes(sum(added))} (${listTables(added)}); written to the WAL: ${kilobytes((after.wal - before.wal) / payments)}`;
};

/** Tables whose rows are deleted after a day: idempotency keys. */
const isForADay = ({ name }: Added): boolean => name.endsWith('.idempotency_key');
/** The sandbox bank's ledger and histories; a bank's own core keeps its own. */
const isOfTheBank = ({ name }: Added): boolean => name.startsWith('accounts.');

/** The benchmark's consents expire when it moves the clock. No payment adds to them. */
const isOfConsents = ({ name }: Added): boolean => name.startsWith('consents.');

/** The same by retention: kept until the month is archived, deleted after a day, and kept by the sandbox bank's ledger. */
export const keptNote = (before: Stored, after: Stored, payments: number): string => {
  const added = addedByTable(before, after, payments).filter((one) => !isOfConsents(one));
  const untilArchived = added.filter((one) => !isForADay(one) && !isOfTheBank(one));
  const forADay = added.filter((one) => isForADay(one) && !isOfTheBank(one));
  return `KB kept of a payment until its month is archived: ${kilobytes(sum(untilArchived))} (${listTables(untilArchived)}); for a day ${kilobytes(sum(forADay))}; in the sandbox bank's ledger ${kilobytes(sum(added.filter(isOfTheBank)))}; written to the WAL ${kilobytes((after.wal - before.wal) / payments)}`;
};
