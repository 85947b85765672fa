import type { CallClient } from '@xs2a/calls/client';
import { signNotifications } from '@xs2a/contracts/notifications.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { promptly } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import { withAttempt } from '../kept-attempts.js';
import type { NotificationSender } from '../send-notification.js';
import { isShown, type OneOwn } from './own-notifications.js';

interface Means {
  readonly pool: Pool;
  readonly callClient: Pick<CallClient, 'call'>;
  readonly sender: Pick<NotificationSender, 'send'>;
}

/** The status that a thief would want to be believed, and another one for a notification that already has it. */
const forgedStatuses = {
  transactionStatus: ['ACSC', 'RJCT'],
  consentStatus: ['valid', 'rejected'],
} as const;

const forgedBody = (body: string): string => {
  const members = JSON.parse(body) as Readonly<Record<string, unknown>>;
  const changed = Object.entries(forgedStatuses)
    .filter(([name]) => name in members)
    .map(([name, [wanted, other]]) => [name, members[name] === wanted ? other : wanted] as const);
  return JSON.stringify({ ...members, ...Object.fromEntries(changed) });
};

/**
 * Sends a forgery of a TPP's notification once and records the attempt; nothing else of the notification changes. The
 * signature is one of the true body with the current `iat` and a published `kid`, so that it fails only where it is
 * verified over the body. The `X-Request-ID` is new, because a receiver may acknowledge a repeat without reading it.
 * Throws CallFailed if the TPP has no such notification.
 */
export const forgeOwn = async (
  { pool, callClient, sender }: Means,
  { tppId, notificationId }: OneOwn,
): Promise<void> => {
  const { rows } = await pool.query<{ uri: string; body: string }>(
    promptly({
      text: `SELECT uri, body FROM notification WHERE tpp_id = $1 AND notification_id = $2 AND ${isShown}`,
      values: [tppId, notificationId],
    }),
  );
  const [notification] = rows;
  if (notification === undefined) throw callFailed('resourceUnknown');
  const { uri, body } = notification;
  const { signatures, signedAt } = await callClient.call(signNotifications, { bodies: [body] });
  const { answer } = await sender.send({
    uri,
    body: forgedBody(body),
    requestId: newId(),
    // Of a body that is never signed, there is no signature to take.
    signature: signatures[0] ?? '..',
    sandboxClock: signedAt,
  });
  await pool.query(
    promptly({
      text: `UPDATE notification n SET tries = ${withAttempt(`'answer', $3::text, 'forged', true`)}
        WHERE tpp_id = $1 AND notification_id = $2`,
      values: [tppId, notificationId, answer],
    }),
  );
};
