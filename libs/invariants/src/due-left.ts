import type { NatsConnection } from '@nats-io/transport-node';
import { type EventResource, eventStreams } from '@xs2a/contracts/event-streams';
import { lastPublished } from '@xs2a/event-store/publishing/jetstream-copy';
import { onceAnswered } from '@xs2a/event-store/publishing/once-answered';
import { readClockOffset } from '@xs2a/core-banking/sandbox/settings';
import { Clock } from '@xs2a/runtime/clock';
import { keyRanges } from '@xs2a/postgres/key-ranges';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import { payments } from './paged.js';
import type { Schema } from './schemas.js';

export interface Backlog {
  readonly schemas: { of(schema: Schema): Pool };
  /** The connection of an operator. */
  readonly nats: NatsConnection;
  /** False for an external core bank, which has no sandbox clock either. Default: true. */
  readonly ledger?: boolean;
}

/** The overdue items of one kind, by id. */
interface Left {
  readonly what: string;
  readonly ids: ReadonlySet<string>;
}

/** Items of a backlog are counted only up to this number. */
const maxCounted = 10_000;

interface Asked {
  readonly schema: Schema;
  readonly what: string;
  readonly text: string;
  /** No index covers these rows, so they are found by reading the payments status view page by page. */
  readonly inPages?: true;
}
const asked: readonly Asked[] = [
  {
    schema: 'payments',
    what: 'payments due for settlement or booking',
    // A stream with a lost event waits for an operator (ADR 35).
    text: `SELECT stream_id::text AS id FROM payment_view WHERE due_at <= $1
      AND stream_id NOT IN (SELECT stream_id FROM lost_event WHERE holds AND released_at IS NULL)`,
  },
  {
    schema: 'payments',
    what: 'signed payments not recorded as due',
    inPages: true,
    text: `SELECT stream_id::text AS id FROM payment_view WHERE status = 'ACCP' AND signed_at IS NOT NULL
      AND funds_available IS NULL AND due_at IS NULL AND (state->'signed'->>'dueAt')::timestamptz <= $1`,
  },
  {
    schema: 'settlement',
    what: 'settlements under way or failed',
    text: 'SELECT payment_id::text AS id FROM unfinished WHERE $1::timestamptz IS NOT NULL',
  },
  {
    schema: 'payments',
    what: 'payments in settlement',
    inPages: true,
    text: `SELECT stream_id::text AS id FROM payment_view WHERE status = 'ACSP'
      AND (state->>'service' IS DISTINCT FROM 'periodic-payments' OR state->'started' IS NOT NULL) AND $1::timestamptz IS NOT NULL`,
  },
  {
    schema: 'payments',
    what: 'payments not signed in time',
    text: 'SELECT stream_id::text AS id FROM payment_view WHERE unsigned_until <= $1',
  },
  {
    schema: 'payments',
    what: 'signing baskets due',
    text: 'SELECT stream_id::text AS id FROM basket_view WHERE due_at <= $1',
  },
  {
    schema: 'payments',
    what: 'signing baskets not completed',
    text: `SELECT b.stream_id::text AS id FROM basket_view b
      WHERE b.stage = 'signed' AND b.due_at IS NULL AND $1::timestamptz IS NOT NULL AND NOT EXISTS (
        SELECT FROM jsonb_array_elements_text(b.payment_ids) AS item (id) JOIN payment_view p ON p.stream_id = item.id::uuid
        WHERE p.status IN ('RCVD', 'PATC', 'ACSP') OR (p.status = 'ACCP' AND p.funds_available IS NOT FALSE))`,
  },
  {
    schema: 'consents',
    what: 'consents that should have ended',
    text: 'SELECT stream_id::text AS id FROM consent_view WHERE due_at <= $1',
  },
  {
    schema: 'notifications',
    what: 'notifications due',
    text: 'SELECT notification_id::text AS id FROM notification WHERE next_try_at <= now() AND $1::timestamptz IS NOT NULL',
  },
  {
    schema: 'notifications',
    what: 'events of payments not read for notifications',
    text: `SELECT pos::text AS id FROM payments.log WHERE $1::timestamptz IS NOT NULL
      AND pos > coalesce((SELECT pos FROM checkpoint WHERE source = 'payments'), 0)`,
  },
  {
    schema: 'notifications',
    what: 'events of consents not read for notifications',
    text: `SELECT pos::text AS id FROM consents.log WHERE $1::timestamptz IS NOT NULL
      AND pos > coalesce((SELECT pos FROM checkpoint WHERE source = 'consents'), 0)`,
  },
  {
    schema: 'settlement',
    what: 'dead letters',
    text: `SELECT consumer || ':' || pos AS id FROM dead_letter WHERE buried_at IS NOT NULL AND $1::timestamptz IS NOT NULL`,
  },
];

/** Returns the time of the sandbox clock as an ISO 8601 instant in UTC. */
export const sandboxNow = async (schemas: Backlog['schemas']): Promise<string> => {
  const clock = new Clock(true);
  clock.raiseTo(await readClockOffset(schemas.of('accounts')));
  return clock.now();
};

/**
 * Returns the payments that a statement finds at `now`: in the whole status view or, if given, among those found
 * before.
 */
const findInPages = async (
  pool: Pool,
  text: string,
  now: string,
  before: ReadonlySet<string> | undefined,
): Promise<string[]> => {
  if (before !== undefined) {
    const { rows } = await pool.query<{ id: string }>(`${text} AND stream_id = ANY($2::uuid[])`, [
      now,
      [...before],
    ]);
    return rows.map(({ id }) => id);
  }
  const ids: string[] = [];
  for await (const [after, upTo] of keyRanges(pool, payments)) {
    const { rows } = await pool.query<{ id: string }>(
      `${text} AND stream_id > $2 AND stream_id <= $3 LIMIT ${maxCounted}`,
      [now, after, upTo],
    );
    ids.push(...rows.map(({ id }) => id));
    if (ids.length >= maxCounted) break;
  }
  return ids.slice(0, maxCounted);
};

/**
 * Returns, by kind, everything that is due now and has not been done. If `before`, an earlier result, is given,
 * only its items are considered.
 */
const due = async (
  { schemas, nats, ledger = true }: Backlog,
  before?: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Left[]> => {
  const now = ledger ? await sandboxNow(schemas) : new Clock(false).now();
  const left: Left[] = [];
  for (const { schema, what, text, inPages } of asked) {
    const pool = schemas.of(schema);
    const known = before === undefined ? undefined : (before.get(what) ?? new Set<string>());
    const ids =
      inPages === true
        ? await findInPages(pool, text, now, known)
        : (await pool.query<{ id: string }>(`${text} LIMIT ${maxCounted}`, [now])).rows.map(({ id }) => id);
    left.push({ what, ids: new Set(ids) });
  }
  for (const resource of Object.keys(eventStreams) as EventResource[])
    left.push(...(await unpublished(schemas.of(resource), nats, resource)));
  return left.filter(({ ids }) => ids.size > 0);
};

const unpublished = async (pool: Pool, nats: NatsConnection, resource: EventResource): Promise<Left[]> => {
  const { rows: waiting } = await pool.query<{ id: string }>(
    `SELECT id::text FROM unsequenced LIMIT ${maxCounted}`,
  );
  const last = await lastPublished(nats, resource);
  const { rows: behind } = await pool.query<{ id: string }>(
    `SELECT pos::text AS id FROM log WHERE pos > $1 ORDER BY pos LIMIT ${maxCounted}`,
    [last],
  );
  return [
    { what: `events of ${resource} without a position`, ids: new Set(waiting.map(({ id }) => id)) },
    { what: `events of ${resource} not published`, ids: new Set(behind.map(({ id }) => id)) },
  ];
};

const sentences = (left: readonly Left[]): string[] =>
  left.map(({ what, ids }) => `${ids.size} ${what}, e.g. ${[...ids][0]}`);

/** Describes all work that is due and not yet done; empty when the system is at rest. */
const dueLeft = async (backlog: Backlog): Promise<string[]> => sentences(await due(backlog));

/**
 * Describes all work that is due now and is still not done after `seconds`, ignoring work that becomes due in the
 * meantime (invariant 7). Returns early once all of it is done.
 */
export const overdue = async (backlog: Backlog, seconds = 10): Promise<string[]> => {
  let left = await onceAnswered('what is due', async () => due(backlog));
  const end = performance.now() + seconds * 1000;
  while (left.length > 0 && performance.now() < end) {
    await wait(200);
    const before = new Map(left.map(({ what, ids }) => [what, ids]));
    // A cluster does not respond while it elects its leaders. Until it responds, all the work that was due
    // still counts as not done.
    const still = await due(backlog, before).catch(() => left);
    const now = new Map(still.map(({ what, ids }) => [what, ids]));
    left = left
      .map(({ what, ids }) => ({ what, ids: new Set([...ids].filter((id) => now.get(what)?.has(id))) }))
      .filter(({ ids }) => ids.size > 0);
  }
  return sentences(left);
};

/** Waits at most this many seconds for all due work to be done; returns what is still left. */
export const waitUntilRest = async (
  backlog: Backlog,
  seconds: number,
): Promise<{ readonly left: readonly string[]; readonly seconds: number }> => {
  const began = performance.now();
  for (;;) {
    const left = await dueLeft(backlog).catch((error: unknown) => [`cannot be queried: ${String(error)}`]);
    const taken = (performance.now() - began) / 1000;
    if (left.length === 0 || taken > seconds) return { left, seconds: taken };
    await wait(100);
  }
};
