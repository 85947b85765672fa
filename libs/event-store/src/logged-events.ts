import type { EventResource, LoggedEvents, LogStretch } from '@xs2a/contracts/published-event';
import type { Pool } from 'pg';
import { publishedForm } from './published-form.js';
import { eventColumns, type PositionedEvent } from './relay-log.js';

/** Bounds of one answer: positions that are looked at, events, and bytes of their data (it travels as one message). */
const most = { positions: 5000, events: 100, bytes: 1_000_000 } as const;

/**
 * A stretch of the log from PostgreSQL, which keeps every event, for whom the published copy no longer has it. Asked
 * again from `upTo` on until the whole stretch is read; `upTo` stays behind the wanted one where the log ends before it.
 */
export const loggedEvents = async (
  pool: Pool,
  resource: EventResource,
  { after, upTo, types }: LogStretch,
): Promise<LoggedEvents> => {
  const { rows: heads } = await pool.query<{ head: number }>({
    name: 'logged-head',
    text: 'SELECT coalesce(max(pos), 0) AS head FROM log',
  });
  const end = Math.min(upTo, heads[0]?.head ?? 0, after + most.positions);
  const { rows } = await pool.query<PositionedEvent>({
    name: 'logged-events',
    text: `SELECT l.pos, ${eventColumns} FROM log l JOIN events e USING (id)
      WHERE l.pos > $1 AND l.pos <= $2 AND e.type = ANY($3) ORDER BY l.pos LIMIT ${most.events}`,
    values: [after, end, types],
  });
  const taken = withinBounds(rows);
  const whole = taken.length === rows.length && rows.length < most.events;
  return {
    events: taken.map((row) => publishedForm(resource, row)),
    upTo: whole ? Math.max(after, end) : (taken.at(-1)?.pos ?? after),
  };
};

/** As many as one answer carries, one at least. */
const withinBounds = (rows: readonly PositionedEvent[]): readonly PositionedEvent[] => {
  let bytes = 0;
  const beyond = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(row.data);
    return index > 0 && bytes > most.bytes;
  });
  return beyond === -1 ? rows : rows.slice(0, beyond);
};
