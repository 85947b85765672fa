import type { Connections } from '../connections.js';
import { columns } from '../command-line/output.js';

export interface DailyStatistics {
  /** The day in the bank's time zone. */
  readonly day: string;
  readonly api: string;
  /** Present only if requested. */
  readonly endpoint?: string;
  /** Empty for calls without a valid token. */
  readonly tpp?: string;
  readonly calls: number;
  /** The mean time until the last byte. */
  readonly meanMs: number;
  /** The number of responses with 4xx. */
  readonly refused: number;
  /** The number of responses with 5xx. */
  readonly failed: number;
  /** failed / calls, 0 to 1. */
  readonly errorRate: number;
}

export interface Period {
  readonly from?: string;
  readonly to?: string;
}

/** The dimensions by which the daily figures can be broken down, each with its table and column. */
const dimensions = {
  endpoint: { table: 'call_statistics', columns: 'endpoint' },
  tpp: { table: 'tpp_statistics', columns: 'tpp_id AS tpp' },
} as const;
type Dimension = keyof typeof dimensions;
export const dimensionNames = Object.keys(dimensions) as readonly Dimension[];

/** Returns calls, mean time to the last byte and error rate by day and API, oldest day first. */
export const callStatistics = async (
  connections: Connections,
  { from, to }: Period,
  by: Dimension | undefined,
): Promise<readonly DailyStatistics[]> => {
  const { table, columns: kept } = dimensions[by ?? 'endpoint'];
  const group = by === undefined ? 'day, api' : `day, api, ${by}`;
  const { rows } = await connections
    .pool('consents')
    .query<Omit<DailyStatistics, 'meanMs' | 'errorRate'> & { readonly total_ms: number }>(
      `SELECT ${group}, sum(calls)::float8 AS calls, sum(refused)::float8 AS refused, sum(failed)::float8 AS failed,
       sum(total_ms) AS total_ms
     FROM (SELECT to_char(day, 'YYYY-MM-DD') AS day, ${kept}, api, calls, refused, failed, total_ms
       FROM ${table} WHERE ($1::date IS NULL OR day >= $1) AND ($2::date IS NULL OR day <= $2)) AS counted
     GROUP BY ${group} ORDER BY ${group}`,
      [from ?? null, to ?? null],
    );
  return rows.map(({ total_ms, ...row }) => ({
    ...row,
    meanMs: Number((total_ms / row.calls).toFixed(3)),
    errorRate: Number((row.failed / row.calls).toFixed(6)),
  }));
};

const listHeadings = (by: Dimension = 'endpoint'): string[] =>
  'day api by calls mean_ms refused failed error_rate'.replace('by', by).split(' ');
const listCells = (row: DailyStatistics): (string | number)[] => [
  row.day,
  row.api,
  (row.tpp === '' ? '-' : row.tpp) ?? row.endpoint ?? 'all',
  row.calls,
  row.meanMs,
  row.refused,
  row.failed,
  row.errorRate,
];

export const statisticsText = (rows: readonly DailyStatistics[], by?: Dimension): string =>
  rows.length === 0 ? 'no calls are recorded in this period' : columns(listHeadings(by), rows.map(listCells));

/** Formats the rows as CSV (RFC 4180). No cell contains a comma or a quote, since TPP ids contain neither. */
export const statisticsCsv = (rows: readonly DailyStatistics[], by?: Dimension): string =>
  [listHeadings(by), ...rows.map(listCells)].map((cells) => cells.join(',')).join('\r\n');
