import { call } from '../call.js';

interface OwnAttempt {
  /** The real time at which it ended. @format date-time */
  readonly time: string;
  readonly answer: string;
  /** Set if the TPP had a forgery sent, whose signature is not that of its body. */
  readonly forged?: true;
}

/** A notification as its TPP sees it in the sandbox (contract 13). */
export interface OwnNotification {
  /** The X-Request-ID of all attempts. @format uuid */
  readonly notificationId: string;
  readonly resourceType: 'payment' | 'consent' | 'signingBasket';
  /** @format uuid */
  readonly resourceId: string;
  /** The reported status, for example `ACCP psuIdentified`. */
  readonly status: string;
  readonly uri: string;
  readonly state: 'waiting' | 'delivered' | 'deadLetter';
  /** Real time. @format date-time */
  readonly createdAt: string;
  /** Real time; absent if it has ended or waits for the one before it. @format date-time */
  readonly nextAttemptAt?: string;
  /** The latest attempts, oldest first. */
  readonly attempts: readonly OwnAttempt[];
  /** The text that is sent and signed. */
  readonly body: string;
  /** `X-JWS-Signature` of the latest attempt. */
  readonly signature?: string;
}

/** The most notifications in a page. */
export const maxOwnListed = 100;

/**
 * Lists a TPP's notifications that are waiting or ended within the last 24 hours, newest first: at most `limit`, and at
 * most {@link maxOwnListed}. `before` is `next` of the page before. Empty outside the sandbox.
 */
export const listOwnNotifications = call<
  { readonly tppId: string; readonly limit: number; readonly before?: string | undefined },
  { readonly notifications: readonly OwnNotification[]; readonly next?: string | undefined }
>('svc.notifications.sandbox.list', 'idempotent');

interface OneOwn {
  readonly tppId: string;
  /** @format uuid */
  readonly notificationId: string;
}

/**
 * Sends an ended notification again, with the attempts of a new one. Fails with resourceUnknown, or with
 * statusForbidsReplay while it is waiting.
 */
export const replayOwnNotification = call<OneOwn, Record<string, never>>(
  'svc.notifications.sandbox.replay',
  'not-idempotent',
);

/**
 * Makes a waiting notification a dead letter now, so that the next one of its resource is sent. Fails with
 * resourceUnknown, or with statusForbidsDeadLetter if it has ended.
 */
export const endOwnNotification = call<OneOwn, Record<string, never>>(
  'svc.notifications.sandbox.dead-letter',
  'not-idempotent',
);

/** The longest that one attempt may take, signature included, in milliseconds. */
const forgeWithinMs = 10_000;

/**
 * Sends a forgery of a notification once, now: its body with another status, and a signature of the true body. Nothing
 * but its attempts changes. Fails with resourceUnknown.
 */
export const forgeOwnNotification = call<OneOwn, Record<string, never>>(
  'svc.notifications.sandbox.forge',
  'not-idempotent',
  forgeWithinMs,
);
