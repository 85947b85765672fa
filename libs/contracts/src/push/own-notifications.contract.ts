import { call } from '../call.js';

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
  /** The latest attempts, oldest first, each with the real time at which it ended. */
  readonly attempts: readonly { readonly time: string; readonly answer: string }[];
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
