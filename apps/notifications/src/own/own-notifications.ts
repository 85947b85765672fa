import { maxOwnListed, type OwnNotification } from '@xs2a/contracts/push/own-notifications.contract';
import { type CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { isUuid } from '@xs2a/domain/text/uuid';
import type { Pool } from 'pg';
import { statusIn } from '../queue/find-notifications.js';
import { scheduleFirst } from '../schedule-first.js';

interface Row extends Pick<OwnNotification, 'notificationId' | 'resourceId' | 'uri' | 'attempts' | 'body'> {
  readonly state: 'waiting' | 'delivered' | 'dead';
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly signature: string | null;
}

/** The notifications that a TPP sees. Outside the sandbox `tries` is null, so it sees none. */
export const isShown = `tries IS NOT NULL AND (ended_at IS NULL OR ended_at >= now() - interval '24 hours')`;
const position = 'created_at, pos, part, notification_id';

const selectPage = `
  SELECT notification_id AS "notificationId", resource_id AS "resourceId", uri, state, created_at AS "createdAt",
    next_try_at AS "nextAttemptAt", tries AS attempts, body, signature
  FROM notification WHERE tpp_id = $1 AND ${isShown}
    AND ($3::uuid IS NULL OR (${position}) < (SELECT ${position} FROM notification WHERE notification_id = $3))
  ORDER BY created_at DESC, pos DESC, part DESC, notification_id DESC LIMIT $2`;

const ownId = `SELECT FROM notification WHERE tpp_id = $1 AND notification_id = $2 AND tries IS NOT NULL`;

/**
 * Lists a TPP's notifications, newest first; `before` is the last one of the page before. Throws CallFailed if that is
 * none of the TPP's.
 */
export const listOwn = async (
  pool: Pool,
  {
    tppId,
    limit,
    before,
  }: { readonly tppId: string; readonly limit: number; readonly before?: string | undefined },
): Promise<{ readonly notifications: readonly OwnNotification[]; readonly next?: string | undefined }> => {
  if (before !== undefined && !(isUuid(before) && (await pool.query(ownId, [tppId, before])).rowCount === 1))
    throw callFailed('fieldMalformed', 'cursor', 'Use a link from an earlier page unchanged.');
  const size = Math.min(limit, maxOwnListed);
  // One more than the page, to find out whether there is a next page.
  const { rows } = await pool.query<Row>(selectPage, [tppId, size + 1, before]);
  const page = rows.slice(0, size);
  return {
    notifications: page.map(toOwn),
    next: rows.length > size ? page.at(-1)?.notificationId : undefined,
  };
};

const toOwn = ({ state, createdAt, nextAttemptAt, signature, ...row }: Row): OwnNotification => ({
  ...row,
  resourceType: resourceTypeOf(row.body),
  status: statusIn(row.body),
  state: state === 'dead' ? 'deadLetter' : state,
  createdAt: createdAt.toISOString(),
  nextAttemptAt: nextAttemptAt?.toISOString(),
  signature: signature ?? undefined,
});

const resourceTypeOf = (body: string): OwnNotification['resourceType'] => {
  const { consentId, basketId } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  if (basketId !== undefined) return 'signingBasket';
  return consentId === undefined ? 'payment' : 'consent';
};

export interface OneOwn {
  readonly tppId: string;
  readonly notificationId: string;
}

/** Sends an ended notification again. Throws CallFailed if the TPP has no such notification, or it is waiting. */
export const replayOwn = async (pool: Pool, one: OneOwn): Promise<void> => {
  const { rowCount } = await pool.query(
    `UPDATE notification SET state = 'waiting', ended_at = NULL, next_try_at = now(), failures = 0, first_failed_at = NULL
     WHERE tpp_id = $1 AND notification_id = $2 AND state <> 'waiting' AND ${isShown}`,
    [one.tppId, one.notificationId],
  );
  if (rowCount === 0) throw await refusal(pool, one, 'statusForbidsReplay');
};

/**
 * Makes a waiting notification a dead letter, and the next one of its resource due. Throws CallFailed if the TPP has no
 * such notification, or it has ended.
 */
export const endOwn = async (pool: Pool, one: OneOwn): Promise<void> => {
  const { rows } = await pool.query<{ resourceId: string }>(
    `UPDATE notification SET state = 'dead', ended_at = now(), next_try_at = NULL
     WHERE tpp_id = $1 AND notification_id = $2 AND state = 'waiting' AND ${isShown} RETURNING resource_id AS "resourceId"`,
    [one.tppId, one.notificationId],
  );
  if (rows.length === 0) throw await refusal(pool, one, 'statusForbidsDeadLetter');
  await scheduleFirst(
    pool,
    rows.map(({ resourceId }) => resourceId),
  );
};

const refusal = async (
  pool: Pool,
  { tppId, notificationId }: OneOwn,
  failure: 'statusForbidsReplay' | 'statusForbidsDeadLetter',
): Promise<CallFailed> => {
  const { rowCount } = await pool.query(`${ownId} AND ${isShown}`, [tppId, notificationId]);
  return callFailed(rowCount === 0 ? 'resourceUnknown' : failure);
};
