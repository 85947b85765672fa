import {
  maxChangedSince,
  maxPositionsSince,
  type PastPayments,
} from '@xs2a/contracts/console/past-payments.contract';
import { maxCountedLater, type UnfinishedPayments } from '@xs2a/contracts/payments.contract';
import { evolvePayment } from '@xs2a/domain/payment/evolve-payment';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { nextDueAt, overdueMs } from '@xs2a/domain/payment/settlement/due';
import { upcastData } from '@xs2a/events/event-types';
import { binaryArray } from '@xs2a/postgres/binary-array';
import { inTransaction } from '@xs2a/postgres/transaction';
import { positionAt } from '@xs2a/resources/position-at';
import type { Pool, PoolClient } from 'pg';
import { unsignedUntil } from '../store/payment-view.js';
import { dueState } from './due-state.js';

type State = UnfinishedPayments['state'] | 'later';

/** Payments with the same status and state, and the earliest moment at which one of them was due or would be rejected. */
interface Group {
  readonly status: UnfinishedPayments['status'];
  readonly state: State;
  readonly payments: number;
  readonly sinceMs: number;
}
/** A payment that existed at the position and has changed since, with its version then. */
interface Changed {
  readonly stream_id: string;
  readonly version: number;
}

/** Events after the position $1, also those that have no position yet. */
const later = `SELECT stream_id, version FROM log WHERE pos > $1 UNION ALL SELECT stream_id, version FROM unsequenced`;
const changedSince = `
  SELECT stream_id, before AS version FROM (
    SELECT stream_id, min(version) - 1 AS before FROM (${later}) AS later GROUP BY stream_id) AS changed
  WHERE before > 0 AND EXISTS (SELECT FROM payment_view v WHERE v.stream_id = changed.stream_id)
  LIMIT ${maxChangedSince + 1}`;
/** The others are now as they were then: $2, the moment. */
const unchanged = `
  SELECT status, state, count(*) AS payments, extract(epoch FROM min(since))::float8 * 1000 AS "sinceMs" FROM (
    SELECT stream_id, status, 'unsigned' AS state, unsigned_until AS since FROM payment_view WHERE unsigned_until IS NOT NULL
    UNION ALL
    SELECT stream_id, status, ${dueState('due_at', '$2::timestamptz')}, due_at FROM payment_view WHERE due_at IS NOT NULL
  ) AS one
  WHERE NOT EXISTS (SELECT FROM log l WHERE l.stream_id = one.stream_id AND l.pos > $1)
    AND NOT EXISTS (SELECT FROM unsequenced u WHERE u.stream_id = one.stream_id)
  GROUP BY status, state`;
const isArchivedSince = 'SELECT EXISTS (SELECT FROM log_archived WHERE last_pos > $1) AS archived';

/**
 * Counts the payments that were unfinished at a moment. Those that have not changed since are counted by their rows of the status
 * view; the others are folded again from their events up to then. Personal data stay encrypted.
 */
export const countPastPayments = async (pool: Pool, atMs: number): Promise<PastPayments> => {
  const position = await positionAt(pool, atMs);
  const at = new Date(atMs).toISOString();
  const found = await inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return readSince(client, position, at);
  });
  if ('unknown' in found) return found;
  const changed: Group[] = [];
  for (let first = 0; first < found.changed.length; first += streamsAtOnce)
    changed.push(...(await foldGroups(pool, found.changed.slice(first, first + streamsAtOnce), atMs)));
  return { position, at, ...sumUp([...found.unchanged, ...changed], atMs) };
};

const readSince = async (
  client: PoolClient,
  position: number,
  at: string,
): Promise<
  | { readonly unchanged: readonly Group[]; readonly changed: readonly Changed[] }
  | Extract<PastPayments, { readonly unknown: unknown }>
> => {
  const { rows: ends } = await client.query<{ last: number }>(
    'SELECT coalesce(max(pos), 0) AS last FROM log',
  );
  if ((ends[0]?.last ?? 0) - position > maxPositionsSince) return { unknown: 'too-many' };
  const { rows: archive } = await client.query<{ archived: boolean }>(isArchivedSince, [position]);
  if (archive[0]?.archived === true) return { unknown: 'archived' };
  const { rows: changed } = await client.query<Changed>(changedSince, [position]);
  if (changed.length > maxChangedSince) return { unknown: 'too-many' };
  return { changed, unchanged: (await client.query<Group>(unchanged, [position, at])).rows };
};

/** Streams whose events are read at a time. */
const streamsAtOnce = 500;

interface EventRow {
  readonly stream_id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly occurred_at: Date;
}

const foldGroups = async (pool: Pool, changed: readonly Changed[], atMs: number): Promise<Group[]> => {
  const { rows } = await pool.query<EventRow>({
    name: 'payments-past-events',
    text: `SELECT e.stream_id, e.type, e.schema_version, e.data, e.occurred_at
      FROM unnest($1::uuid[], $2::int[]) AS past (stream_id, version)
      JOIN events e ON e.stream_id = past.stream_id AND e.version <= past.version
      ORDER BY e.stream_id, e.version`,
    values: [
      binaryArray(
        'uuid',
        changed.map(({ stream_id }) => stream_id),
      ),
      changed.map(({ version }) => version),
    ],
  });
  return [...Map.groupBy(rows, ({ stream_id }) => stream_id).values()].flatMap((history) => {
    const state = fold(history);
    return state === undefined ? [] : groupsOf(state, atMs);
  });
};

/** No step of the fold depends on personal data, so they are left out. */
const fold = (history: readonly EventRow[]): PaymentState | undefined =>
  history.reduce<PaymentState | undefined>((state, row) => {
    const { type, schema_version: schemaVersion, data, occurred_at } = row;
    const event = { type, data: upcastData(paymentEventTypes, { type, schemaVersion, data }) };
    return evolvePayment(state, event as PaymentEvent, occurred_at.toISOString());
  }, undefined);

/** Returns how a payment counts, as the status view would have it. */
const groupsOf = (state: PaymentState, atMs: number): Group[] => {
  const { status } = state;
  const [unsigned, due] = [unsignedUntil(state), nextDueAt(state)];
  return [
    ...(unsigned === undefined
      ? []
      : [{ status, state: 'unsigned', payments: 1, sinceMs: Date.parse(unsigned) } as const]),
    ...(due === undefined
      ? []
      : [{ status, state: dueStateAt(Date.parse(due), atMs), payments: 1, sinceMs: Date.parse(due) }]),
  ];
};

const dueStateAt = (dueMs: number, atMs: number): State => {
  if (dueMs > atMs) return 'later';
  return dueMs < atMs - overdueMs ? 'overdue' : 'due';
};

const sumUp = (
  groups: readonly Group[],
  atMs: number,
): { readonly unfinished: UnfinishedPayments[]; readonly later: number } => {
  const count = (some: readonly Group[]): number => some.reduce((sum, { payments }) => sum + payments, 0);
  const unfinished = [...Map.groupBy(groups, ({ status, state }) => `${status} ${state}`).values()].flatMap(
    (same): UnfinishedPayments[] => {
      const [first] = same;
      if (first === undefined || first.state === 'later') return [];
      const { status, state } = first;
      const sinceMs = Math.min(...same.map((group) => group.sinceMs));
      return [{ status, state, payments: count(same), seconds: (atMs - sinceMs) / 1000 }];
    },
  );
  const allLater = count(groups.filter(({ state }) => state === 'later'));
  return { unfinished, later: Math.min(allLater, maxCountedLater) };
};
