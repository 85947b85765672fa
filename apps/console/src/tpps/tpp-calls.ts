import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';

/** The calls of a TPP in a period. */
export interface TppCalls {
  readonly calls: number;
  readonly refused: number;
}

/** Calls without a row count too: those beyond the limit were refused, the others not. */
const countCalls = `
  SELECT tpp_id AS "tppId", sum(calls)::int AS calls, sum(refused)::int AS refused FROM (
    SELECT tpp_id, count(*) AS calls, count(*) FILTER (WHERE status BETWEEN 400 AND 498) AS refused
    FROM call WHERE at > $1 AND tpp_id IS NOT NULL GROUP BY 1
    UNION ALL
    SELECT tpp_id, sum(calls), coalesce(sum(calls) FILTER (WHERE reason = 'limit'), 0)
    FROM calls_left_out WHERE until > $1 GROUP BY 1
  ) AS counted GROUP BY 1`;

/** Counts the calls of each TPP. */
@Injectable()
export class TppCallCounts {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** Returns the calls since a moment by client id, without TPPs that made none. */
  async since(moment: Date): Promise<ReadonlyMap<string, TppCalls>> {
    const rows = await this.source.query<({ readonly tppId: string } & TppCalls)[]>(countCalls, [moment]);
    return new Map(rows.map(({ tppId, ...calls }) => [tppId, calls]));
  }
}
