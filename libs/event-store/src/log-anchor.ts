import { hash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';

/** The log up to a position as one hash: whoever kept it elsewhere can tell later that nothing before was touched. */
export interface Anchor {
  readonly pos: number;
  /** SHA-256, hex. */
  readonly hash: string;
}

/** The anchor at an event, from the one at the position before; `hash` of the event in hex. */
export const anchorAfter = (
  before: Anchor,
  { pos, hash: ofEvent }: { pos: number; hash: string },
): Anchor => ({
  pos,
  hash: hash('sha256', `${before.hash} ${pos} ${ofEvent}`),
});

export const logStart: Anchor = { pos: 0, hash: '0'.repeat(64) };

const identifier = (name: string): string => {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error('a schema or role name has only a-z, 0-9 and _');
  return `"${name}"`;
};

/** SQL of the table that keeps anchors, for a migration. The service may add and read them, never change or remove one. */
export const logAnchorTable = (schema: string, serviceRole: string): string => `
CREATE TABLE ${identifier(schema)}.log_anchor (
  pos bigint PRIMARY KEY,
  hash text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT ON ${identifier(schema)}.log_anchor TO ${identifier(serviceRole)};
`;

/** Positions at a time: a millisecond or two of hashing, beside which the service goes on answering. */
const pageSize = 500;

/** The anchor at every position after `from` up to `to` that the log has, a page at a time. */
export async function* chainLog(
  session: Pool | PoolClient,
  from: Anchor,
  to: number,
): AsyncGenerator<readonly Anchor[]> {
  let last = from;
  for (let below = from.pos; below < to; below += pageSize) {
    const { rows } = await session.query<{ pos: number; hash: string }>({
      name: 'log-chain',
      text: `SELECT l.pos, encode(e.hash, 'hex') AS hash FROM log l JOIN events e USING (id)
        WHERE l.pos > $1 AND l.pos <= $2 ORDER BY l.pos`,
      // Positions have no gaps. A limit in place of this bound looks up everything up to `to` for each page.
      values: [below, Math.min(to, below + pageSize)],
    });
    if (rows.length === 0) continue;
    const anchors: Anchor[] = [];
    for (const row of rows) {
      last = anchorAfter(last, row);
      anchors.push(last);
    }
    yield anchors;
  }
}

/** The newest anchor that was kept; the start of the log when there is none. */
export const lastAnchor = async (session: Pool | PoolClient): Promise<Anchor> => {
  const { rows } = await session.query<{ pos: number; hash: string }>({
    name: 'anchor-last',
    text: 'SELECT pos, hash FROM log_anchor ORDER BY pos DESC LIMIT 1',
  });
  return rows[0] ?? logStart;
};

/** Who has the end of the log in memory, and carries the chain of anchors along with it. */
export interface CarriedChain {
  /** The anchor at the end of the log; undefined until {@link CarriedChain.carryOn}. */
  readonly anchor: Anchor | undefined;
  /** From this anchor on, if everything behind it is there. */
  carryOn(anchor: Anchor): void;
}

/**
 * Keeps an anchor at the end of the log and answers it; undefined when there is nothing new. May run anywhere and at the
 * same time: the same position always gets the same hash. `carried`: need not be read from the database again.
 */
export const anchorLog = async (pool: Pool, carried?: CarriedChain): Promise<Anchor | undefined> => {
  let end = carried?.anchor;
  if (end === undefined) {
    end = await anchorAtEnd(pool);
    carried?.carryOn(end);
  }
  if (end.pos === 0) return undefined;
  const { rowCount } = await pool.query({
    name: 'anchor-keep',
    text: 'INSERT INTO log_anchor (pos, hash) VALUES ($1, $2) ON CONFLICT (pos) DO NOTHING',
    values: [end.pos, end.hash],
  });
  return rowCount === 0 ? undefined : end;
};

/** Worked out from the newest anchor that was kept. */
const anchorAtEnd = async (pool: Pool): Promise<Anchor> => {
  let last = await lastAnchor(pool);
  const { rows } = await pool.query<{ head: number }>({
    name: 'anchor-head',
    text: 'SELECT coalesce(max(pos), 0) AS head FROM log',
  });
  const head = rows[0]?.head ?? 0;
  for await (const anchors of chainLog(pool, last, head)) last = anchors.at(-1) ?? last;
  return last;
};
