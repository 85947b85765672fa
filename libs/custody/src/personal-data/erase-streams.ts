import { retainedUntil, retentionIsOver } from '@xs2a/domain/time/retention';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool, PoolClient } from 'pg';
import { type RelatedRows, rowsOfView, type ViewEnding } from '../custody-resource.js';
import { quotedName } from '@xs2a/event-store/streams/quoted-name';
import { encryptedMember } from '@xs2a/events/personal-members';

/** States whether a stream may be erased now and, if not, the reason. */
export type ErasureStatus = { readonly streamId: string } & Status;
type Status =
  | { readonly status: 'erasable' }
  /** The stream has already been erased. */
  | { readonly status: 'erased' }
  /** The stream has not ended, and is still needed for settlement or for a TPP's access. */
  | { readonly status: 'open' }
  /** The law requires the stream to be kept until the end of this day (ISO date). */
  | { readonly status: 'retained'; readonly until: string }
  /** The stream started before encryption was introduced, so its first events stay readable forever. */
  | { readonly status: 'plain' }
  /** The stream does not exist. */
  | { readonly status: 'unknown' };

export interface ErasureOptions {
  readonly resource: {
    readonly views: readonly ViewEnding[];
    readonly personalRows: readonly RelatedRows[];
  };
  /** The bank's current time, in epoch milliseconds. */
  readonly nowMs: number;
  readonly retainedYears: number;
  readonly timeZone: string;
  /** True to erase ended streams that the law requires to keep. If absent, their request decides. */
  readonly despiteRetention?: boolean;
}

/** Returns whether each stream may be erased now. */
export const readErasureStatuses = async (
  pool: Pool,
  streamIds: readonly string[],
  erasing: ErasureOptions,
): Promise<ErasureStatus[]> =>
  inTransaction(pool, async (client) => readStatuses(client, streamIds, erasing));

/**
 * Of the given streams, erases those that may be erased now. The key, the status view row, related rows and
 * idempotency keys are removed in one transaction. A concurrent append either finds no stream, or finishes first
 * and is included in the check. May be repeated.
 */
export const eraseStreams = async (
  pool: Pool,
  streamIds: readonly string[],
  erasing: ErasureOptions,
): Promise<ErasureStatus[]> =>
  inTransaction(pool, async (client) => {
    const statuses = await readStatuses(client, streamIds, erasing, 'FOR UPDATE');
    const ids = statuses.flatMap(({ status, streamId }) => (status === 'erasable' ? [streamId] : []));
    if (ids.length > 0) await erase(client, ids, erasing);
    return statuses;
  });

interface KeyRow {
  readonly stream_id: string;
  readonly is_erased: boolean;
  readonly retained_until: string | null;
  readonly despite_retention: boolean;
}

interface Ending {
  readonly ended: boolean;
  readonly lastAt: Date | null;
  readonly isPlain: boolean;
}

const readStatuses = async (
  client: PoolClient,
  streamIds: readonly string[],
  erasing: ErasureOptions,
  lock = '',
): Promise<ErasureStatus[]> => {
  // An append locks the view row before it creates a key, so the locks are taken here in the same order.
  const endings = await readEndings(client, streamIds, erasing, lock);
  const { rows } = await client.query<KeyRow>(
    `SELECT k.stream_id, k.wrapped IS NULL AS is_erased, k.retained_until::text AS retained_until,
       coalesce((SELECT despite_retention FROM privacy_log l WHERE l.id = k.erasure), false) AS despite_retention
     FROM stream_key k WHERE k.stream_id = ANY($1::uuid[]) ORDER BY k.stream_id ${lock}`,
    [streamIds],
  );
  const keys = new Map(rows.map((row) => [row.stream_id, row]));
  return streamIds.map((streamId) => ({
    streamId,
    ...statusOf(keys.get(streamId), endings.get(streamId), erasing),
  }));
};

const statusOf = (
  key: KeyRow | undefined,
  ending: Ending | undefined,
  { nowMs, retainedYears, timeZone, despiteRetention = false }: ErasureOptions,
): Status => {
  if (key === undefined) return { status: ending === undefined ? 'unknown' : 'plain' };
  if (key.is_erased) return { status: 'erased' };
  if (ending?.isPlain === true) return { status: 'plain' };
  if (ending?.ended === false) return { status: 'open' };
  const lastAt = ending?.lastAt ?? undefined;
  const until =
    key.retained_until ??
    (lastAt === undefined ? undefined : retainedUntil(lastAt.toISOString(), retainedYears, timeZone));
  // The stream is being archived at the moment, and its last day of retention will be known shortly.
  if (until === undefined) return { status: 'open' };
  const isOver = retentionIsOver(until, new Date(nowMs).toISOString(), timeZone);
  if (isOver || despiteRetention || key.despite_retention) return { status: 'erasable' };
  return { status: 'retained', until };
};

/** Reads the streams in the status views and whether they have ended. */
const readEndings = async (
  client: PoolClient,
  streamIds: readonly string[],
  { resource }: ErasureOptions,
  lock: string,
): Promise<ReadonlyMap<string, Ending>> => {
  const endings = new Map<string, Ending>();
  for (const { table, columns, isEnded } of resource.views) {
    const { rows } = await client.query<{ stream_id: string } & Record<string, unknown>>(
      `SELECT ${['stream_id', ...columns].map((name) => `v.${quotedName(name)}`).join(', ')} FROM ${quotedName(table)} v
       WHERE stream_id = ANY($1::uuid[]) ORDER BY stream_id ${lock}`,
      [streamIds],
    );
    for (const row of rows) endings.set(row.stream_id, { ended: isEnded(row), lastAt: null, isPlain: false });
  }
  const { rows } = await client.query<{
    stream_id: string;
    last_at: Date;
    is_plain: boolean;
    waits: boolean;
  }>(
    `SELECT e.stream_id, max(e.occurred_at) AS last_at,
       bool_or(e.version = 1 AND e.data::text NOT LIKE '%"${encryptedMember}":%') AS is_plain,
       EXISTS (SELECT FROM lost_event l WHERE l.stream_id = e.stream_id AND l.holds AND l.released_at IS NULL) AS waits
     FROM events e WHERE e.stream_id = ANY($1::uuid[]) GROUP BY e.stream_id`,
    [[...endings.keys()]],
  );
  for (const { stream_id: streamId, last_at: lastAt, is_plain: isPlain, waits } of rows)
    endings.set(streamId, { ended: endings.get(streamId)?.ended === true && !waits, lastAt, isPlain });
  return endings;
};

const erase = async (
  client: PoolClient,
  ids: readonly string[],
  { resource, nowMs }: ErasureOptions,
): Promise<void> => {
  // The response expires exactly 24 hours after its event, to the millisecond. An index finds it by this
  // time.
  await client.query(
    `DELETE FROM idempotency_key a USING events e WHERE e.stream_id = ANY($1::uuid[])
       AND a.expires_at = e.occurred_at + interval '24 hours'
       AND (strpos(a.answer::text, e.stream_id::text) > 0 OR strpos(a.path, e.stream_id::text) > 0)`,
    [ids],
  );
  for (const { table, column } of [...resource.views.flatMap(rowsOfView), ...resource.personalRows])
    await client.query(`DELETE FROM ${quotedName(table)} WHERE ${quotedName(column)} = ANY($1::uuid[])`, [
      ids,
    ]);
  // After this, nothing links the person to the stream: neither the stream's tags nor the request, which
  // contains the person's tags.
  await client.query(
    `UPDATE stream_key SET wrapped = NULL, master_key = NULL, tags = NULL, erasure = NULL, erased_at = $2
     WHERE stream_id = ANY($1::uuid[])`,
    [ids, new Date(nowMs)],
  );
};
