import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';

/** Calls with the same outcome: of one TPP, at one endpoint, with one status, code, field and dependency. */
export interface CallGroup {
  /** Null for calls without a valid token. */
  readonly tppId: string | null;
  readonly operation: string;
  readonly status: number;
  readonly code: string | null;
  readonly path: string | null;
  readonly dependency: string | null;
  readonly calls: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Calls without a row, counted. */
interface LeftOut {
  readonly refused: number;
  readonly others: number;
}

/** The calls of a period. */
export interface CallVolume {
  readonly groups: readonly CallGroup[];
  /** Calls without a row, by TPP; an empty text stands for calls without a valid token. */
  readonly leftOut: Readonly<Record<string, LeftOut>>;
  /** Milliseconds in which 99 of 100 successful calls were answered; undefined if there were none. */
  readonly p99Ms: number | undefined;
}

const groupCalls = `
  SELECT tpp_id AS "tppId", operation, status, code, path, dependency, count(*)::int AS calls,
    min(at) AS "firstAt", max(at) AS "lastAt"
  FROM call WHERE at > $1 AND at <= $2 GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY calls DESC LIMIT 500`;
const slowest = `SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY ms) AS p99 FROM call WHERE at > $1 AND at <= $2 AND status < 400`;
const sumLeftOut = `
  SELECT tpp_id AS "tppId", coalesce(sum(calls) FILTER (WHERE reason = 'limit'), 0)::int AS refused,
    coalesce(sum(calls) FILTER (WHERE reason <> 'limit'), 0)::int AS others
  FROM calls_left_out WHERE until > $1 AND until <= $2 GROUP BY 1`;

/** Sums of the calls of a period. */
@Injectable()
export class CallGroups {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  async since(moment: Date): Promise<CallVolume> {
    return this.between(moment, 'infinity');
  }

  /** Sums up the calls after a moment, up to another one. */
  async between(after: Date, upTo: Date | 'infinity'): Promise<CallVolume> {
    const period = [after, upTo];
    const [groups, [percentile], leftOut] = await Promise.all([
      this.source.query<CallGroup[]>(groupCalls, period),
      this.source.query<{ p99: number | null }[]>(slowest, period),
      this.source.query<({ tppId: string } & LeftOut)[]>(sumLeftOut, period),
    ]);
    return {
      groups,
      leftOut: Object.fromEntries(leftOut.map(({ tppId, refused, others }) => [tppId, { refused, others }])),
      p99Ms: percentile?.p99 ?? undefined,
    };
  }
}
