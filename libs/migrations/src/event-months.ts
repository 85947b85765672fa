import type { QueryRunner } from 'typeorm';
import { isPassing, onceUnlocked } from './lock-waits.js';

/** Number of months after the present one for which partitions are made ahead. */
const monthsAhead = 6;
/** The tries are a second apart. */
const maxTriesUnderLoad = 10;

type Session = Pick<QueryRunner, 'query'>;

interface Month {
  readonly name: string;
  /** The lowest ids that a UUIDv7 made in this month, and in the next one, may have: its first 48 bits are the time. */
  readonly from: string;
  readonly to: string;
}

const firstId = (month: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${month}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

const isCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && Reflect.get(error, 'code') === code;

/**
 * Makes the monthly partitions of `events` from this month on that are not there yet; answers why one was left out. The
 * service needs no right on a partition: it reaches the rows only through `events`, and may not change any.
 */
export const makeMonths = async (session: Session, schema: string): Promise<string[]> => {
  const partitioned = (await session.query(
    `SELECT FROM pg_class WHERE oid = to_regclass(format('%I.events', $1::text)) AND relkind = 'p'`,
    [schema],
  )) as readonly unknown[];
  if (partitioned.length === 0) return [];
  const thisMonth = "date_trunc('month', now() AT TIME ZONE 'UTC')";
  return createMissing(
    session,
    schema,
    `generate_series(${thisMonth}, ${thisMonth} + interval '${monthsAhead} months', interval '1 month')`,
    maxTriesUnderLoad,
  );
};

/** Makes the partitions of the months in which streams of the table `source` began. */
export const makeMonthsFor = async (session: Session, schema: string, source: string): Promise<string[]> =>
  createMissing(
    session,
    schema,
    `(SELECT DISTINCT date_trunc('month', uuid_extract_timestamp(stream_id) AT TIME ZONE 'UTC')
      FROM "${schema}"."${source}" WHERE uuid_extract_version(stream_id) = 7
      AND uuid_extract_timestamp(stream_id) BETWEEN '2020-01-01' AND now() + interval '1 month')`,
    1,
  );

const createMissing = async (
  session: Session,
  schema: string,
  months: string,
  maxTries: number,
): Promise<string[]> => {
  const missing = (await session.query(
    `SELECT to_char(month, '"events_"YYYY_MM') AS name,
       ${firstId('month')} AS "from", ${firstId("(month + interval '1 month')")} AS "to"
     FROM ${months} AS months (month)
     WHERE to_regclass(format('%I.%I', $1::text, to_char(month, '"events_"YYYY_MM'))) IS NULL ORDER BY month`,
    [schema],
  )) as readonly Month[];
  const leftOut: string[] = [];
  for (const month of missing) {
    const problem = await create(session, schema, month, maxTries);
    if (problem !== undefined) leftOut.push(`${schema}.${month.name} was not made: ${problem}`);
  }
  return leftOut;
};

/**
 * Makes one partition; answers why it was not made. Appends wait while it waits for the lock (which a dump may hold), so each try is
 * as short as the session's `lock_timeout`.
 */
const create = async (
  session: Session,
  schema: string,
  { name, from, to }: Month,
  maxTries: number,
): Promise<string | undefined> => {
  const text = `CREATE TABLE "${schema}"."${name}" PARTITION OF "${schema}".events FOR VALUES FROM ('${from}') TO ('${to}')`;
  try {
    await onceUnlocked(async () => session.query(text), { maxTries });
    return undefined;
  } catch (error) {
    if (isCode(error, '23514')) return 'its events are in the default partition already, and stay there';
    if (isPassing(error)) return 'events are being read for long; the next run tries again';
    throw error;
  }
};
