import type { NatsConnection } from '@nats-io/transport-node';
import type { EventResource } from '@xs2a/contracts/event-streams';
import type { Pool } from 'pg';
import { type LogGap, logGaps } from '@xs2a/event-store/recovery/log-gaps';
import { publishedEvents } from '@xs2a/event-store/verification/published-copy';

/** A gap in the log, and the events in it that the published copy still contains. */
export interface LostEvents extends LogGap {
  /** The number of published events that the database lost, by type, e.g. `signed`. */
  readonly published: Readonly<Record<string, number>>;
}

/** Lists the gaps with the events that the stream still contains. Requires an operator's permissions. */
export const lostEvents = async (
  pool: Pool,
  { nats, resource }: { readonly nats: NatsConnection; readonly resource: EventResource },
  days?: number,
): Promise<readonly LostEvents[]> => {
  const lost: LostEvents[] = [];
  for (const gap of await logGaps(pool, days)) {
    const copies: { id: string; subject: string; sequence: number; type: string }[] = [];
    for await (const { event } of publishedEvents(nats, resource, { from: gap.after + 1, to: gap.upTo })) {
      const { id, subject, sequence, type } = event;
      copies.push({ id, subject, sequence, type: type.replace(`xs2a.${resource}.`, '') });
    }
    // Sometimes only the position of an event was lost, and the event now has another position.
    const { rows } = await pool.query<{ type: string; count: number }>({
      name: 'lost-events',
      text: `SELECT c.type, count(*) FROM json_to_recordset($1) AS c(id uuid, subject uuid, sequence int, type text)
        WHERE NOT EXISTS (SELECT FROM events e
          WHERE e.stream_id = c.subject AND e.version = c.sequence AND e.event_id = c.id)
        GROUP BY c.type ORDER BY c.type`,
      values: [JSON.stringify(copies)],
    });
    lost.push({ ...gap, published: Object.fromEntries(rows.map(({ type, count }) => [type, count])) });
  }
  return lost;
};

/** Describes the loss to operators in a sentence without the final full stop. */
export const describeLost = ({ after, upTo, foundAt, published }: LostEvents): string => {
  const types = Object.entries(published).map(([type, count]) => `${count} ${type}`);
  return `positions ${after + 1} to ${upTo} were lost by the database, found ${foundAt.toISOString()}; the stream holds ${
    types.length === 0 ? 'none of them' : types.join(', ')
  }`;
};
