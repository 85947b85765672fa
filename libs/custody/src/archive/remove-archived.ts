import { setTimeout as wait } from 'node:timers/promises';
import { keyPages } from '@xs2a/postgres/key-pages';
import type { Pool } from 'pg';
import { quotedName } from '@xs2a/event-store/streams/quoted-name';
import type { ArchivedMonth } from '@xs2a/event-store/months/archived-months';
import { rowsOfView, type ViewEnding } from '../custody-resource.js';
import { rangesOfFile } from '@xs2a/event-store/months/archived-log';
import type { Month } from '@xs2a/event-store/months/months';

const rowsAtOnce = 1000;

/**
 * After each statement, pauses for as long as the statement took, but at most 100 ms, so that about half of the
 * time is left for the service.
 */
const unhurried = async <Result>(statement: () => Promise<Result>): Promise<Result> => {
  const begun = performance.now();
  const result = await statement();
  await wait(Math.min(performance.now() - begun, 100));
  return result;
};

/** A function that is called for archived streams before their rows in a status view are removed. */
export type Leaving = (month: Month, table: string, streamIds: readonly string[]) => Promise<void>;

/** Removes the status view's rows for streams whose events have been removed, and the related rows of other tables. */
export const removeRowsOfStreams = async (
  pool: Pool,
  month: Month,
  views: readonly ViewEnding[],
  leaving: Leaving = async () => undefined,
): Promise<void> => {
  for (const view of views) {
    const { table } = view;
    const pages = keyPages({ stream_id: month.from }, async (after) =>
      pool.query<{ stream_id: string; gone: boolean }>(
        `SELECT stream_id, NOT EXISTS (SELECT FROM events e WHERE e.stream_id = v.stream_id) AS gone
         FROM ${quotedName(table)} v WHERE stream_id > $1 AND stream_id < $2 ORDER BY stream_id LIMIT ${rowsAtOnce}`,
        [after.stream_id, month.to],
      ),
    );
    for await (const page of pages) {
      const ids = page.filter(({ gone }) => gone).map(({ stream_id }) => stream_id);
      if (ids.length === 0) continue;
      await leaving(month, table, ids);
      for (const { table: from, column } of rowsOfView(view))
        await unhurried(async () =>
          pool.query(`DELETE FROM ${quotedName(from)} WHERE ${quotedName(column)} = ANY($1::uuid[])`, [ids]),
        );
    }
  }
};

/** Removes the log rows at the archived positions. */
export const removeRowsOfPositions = async (
  pool: Pool,
  archived: Pick<ArchivedMonth, 'month' | 'part'>,
): Promise<void> => {
  for await (const ranges of rangesOfFile(pool, archived, rowsAtOnce))
    for (const { firstPos, lastPos } of ranges)
      await unhurried(async () =>
        pool.query('DELETE FROM log WHERE pos BETWEEN $1 AND $2', [firstPos, lastPos]),
      );
};

/** Removes a month's lost events whose streams are gone, except those that await a decision. */
export const removeLostEvents = async (pool: Pool, { from, to }: Month): Promise<void> => {
  for (let removed = rowsAtOnce; removed === rowsAtOnce;) {
    const { rowCount } = await unhurried(async () =>
      pool.query(
        `DELETE FROM lost_event WHERE event_id IN (
           SELECT event_id FROM lost_event lost
           WHERE stream_id > $1 AND stream_id < $2 AND (NOT holds OR released_at IS NOT NULL)
             AND NOT EXISTS (SELECT FROM events e WHERE e.stream_id = lost.stream_id) LIMIT ${rowsAtOnce})`,
        [from, to],
      ),
    );
    removed = rowCount ?? 0;
  }
};
