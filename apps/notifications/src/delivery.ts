import { callContext } from '@xs2a/calls/context';
import { retryAfterSeconds } from '@xs2a/domain/notification/retry-schedule';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import type { Logger } from '@xs2a/observability/logger';
import { counter } from '@xs2a/observability/metrics';
import { unsampledTraceparent } from '@xs2a/observability/tracing/traceparent';
import type { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { Sweep } from '@xs2a/runtime/background/sweep';
import type { NotificationTable, TryResult, WaitingNotification } from './notification-table.js';
import {
  answerWithinMs,
  type NotificationPost,
  type NotificationSender,
  type Sent,
} from './send-notification.js';

/** Max concurrent notifications per TPP: a receiver that hangs delays only its own TPP. */
const perTpp = 8;
/** Max concurrent notifications, each with its own connection. */
const maxUnderWay = 256;
/** Max bodies in one signing request: far below the size limit of a NATS message. */
const maxSigned = 50;
/**
 * An attempt ends within five seconds. Stopping waits no longer than this for any attempt, so that another
 * instance can take over.
 */
const stopWithinMs = answerWithinMs + 1000;
const everyMs = 250;
const tries = counter('xs2a_notification_tries_total', 'Tries to send a notification', ['outcome']);
/** The metric's outcome of a try, by the state in which it leaves the notification. */
const triedOutcomes = { delivered: 'delivered', waiting: 'failed', dead: 'given-up' } as const;

interface Signed extends Pick<NotificationPost, 'sandboxClock'> {
  readonly signatures: readonly (string | null)[];
}

export interface DeliveryOptions {
  readonly table: NotificationTable;
  readonly sender: NotificationSender;
  /**
   * Returns detached signatures of the bodies, in order; null for a body that can never be signed. Throws if
   * nothing can be signed now. `sandboxClock`: see {@link NotificationPost}.
   */
  readonly sign: (bodies: readonly string[]) => Promise<Signed>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the dispatcher's turn because the result of an attempt cannot be recorded. */
  readonly onLost: (error: unknown) => void;
}

/** What is sent with a notification's body; without a signature, the attempt fails. */
type OneSigned = Partial<Pick<NotificationPost, 'signature' | 'sandboxClock'>>;

/** Sends due notifications: several concurrently, but those of one resource one at a time. */
export class Delivery {
  private readonly sweep: Sweep;
  /** Ids, by TPP, of notifications that are being sent or whose results have not been recorded yet. */
  private readonly underWay = new Map<string, Set<string>>();
  private readonly sending = new Set<Promise<void>>();
  private unrecorded: TryResult[] = [];
  private recording: Promise<void> | undefined;
  private problem: unknown;

  constructor(private readonly options: DeliveryOptions) {
    const { clock, logger } = options;
    this.sweep = new Sweep({
      name: 'notification delivery',
      everyMs,
      clock,
      logger,
      run: async () => this.startDue(),
      onState: (error) => {
        this.problem = error;
      },
    });
    this.sweep.start();
  }

  /** Signals that there may be something to send. */
  wake(): void {
    this.sweep.wakeUp();
  }

  degraded(): string | undefined {
    return this.problem === undefined ? undefined : 'notifications wait for a signature or the database';
  }

  /** Stops once the attempts in progress have ended, or after a short time limit. */
  async stop(): Promise<void> {
    await this.sweep.stop();
    await waitAtMost(stopWithinMs, Promise.allSettled(this.sending));
    await this.recording;
  }

  /** Starts due notifications as far as capacity allows; returns the number started. */
  private async startDue(): Promise<number> {
    const { table } = this.options;
    const limit = maxUnderWay - this.countUnderWay();
    if (limit === 0) return 0;
    const due = await table.due({ limit, perTpp, underWay: this.underWay });
    for (const one of due) this.reserve(one);
    const signed = await Promise.allSettled(chunks(due).map(async (chunk) => this.signAndTry(chunk)));
    for (const outcome of signed) if (outcome.status === 'rejected') throw outcome.reason;
    return due.length;
  }

  /**
   * Gets signatures and starts the attempts; if nothing can be signed now, throws and leaves the notifications for
   * later.
   */
  private async signAndTry(chunk: readonly WaitingNotification[]): Promise<void> {
    let signed: Signed;
    try {
      signed = await this.options.sign(chunk.map(({ body }) => body));
    } catch (error) {
      for (const one of chunk) this.release(one);
      throw error;
    }
    for (const [index, notification] of chunk.entries()) {
      const { signatures, sandboxClock } = signed;
      const trying = this.tryInTrace(notification, {
        signature: signatures[index] ?? undefined,
        sandboxClock,
      });
      this.sending.add(trying);
      void trying.finally(() => this.sending.delete(trying));
    }
  }

  private countUnderWay(): number {
    return [...this.underWay.values()].reduce((count, ids) => count + ids.size, 0);
  }

  /** Adds the notification to those in progress for its TPP. */
  private reserve({ tppId, notificationId }: WaitingNotification): void {
    const ids = this.underWay.get(tppId) ?? new Set();
    this.underWay.set(tppId, ids.add(notificationId));
  }

  private release({ tppId, notificationId }: Pick<WaitingNotification, 'tppId' | 'notificationId'>): void {
    const ids = this.underWay.get(tppId);
    ids?.delete(notificationId);
    if (ids?.size === 0) this.underWay.delete(tppId);
  }

  private async tryInTrace(notification: WaitingNotification, signed: OneSigned): Promise<void> {
    const { notificationId: requestId, traceparent } = notification;
    const context = { requestId, traceparent: traceparent ?? unsampledTraceparent(), actor: 'notifications' };
    return callContext.run(context, async () => this.try(notification, signed));
  }

  /** Sends the notification and records the result; without a signature, the attempt fails. */
  private async try(
    notification: WaitingNotification,
    { signature, sandboxClock }: OneSigned,
  ): Promise<void> {
    const { notificationId, uri, body } = notification;
    const sent =
      signature === undefined
        ? unsigned
        : await this.options.sender.send({ uri, body, requestId: notificationId, signature, sandboxClock });
    failpoint('notifications.after-send');
    const result = { ...toResult(notification, sent), answer: sent.answer, signature };
    const { failure } = result;
    tries.inc({ outcome: triedOutcomes[result.outcome] });
    this.options.logger.debug({ notificationId, failure }, 'tried to send a notification');
    if (result.outcome === 'dead') {
      const { resourceId, tppId } = notification;
      this.options.logger.warn(
        { notificationId, resourceId, tppId, failure },
        'a notification failed for 24 hours and is now a dead letter',
      );
    }
    this.unrecorded.push(result);
    this.recording ??= this.recordAll();
    await this.recording;
    this.release(notification);
    this.wake();
  }

  /** Records the accumulated results in one statement, repeating until none are left. */
  private async recordAll(): Promise<void> {
    try {
      while (this.unrecorded.length > 0) {
        const results = this.unrecorded;
        this.unrecorded = [];
        await this.options.table.record(results);
      }
    } catch (error) {
      this.options.onLost(error);
    } finally {
      this.recording = undefined;
    }
  }
}

const chunks = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / maxSigned) }, (_none, index) =>
    items.slice(index * maxSigned, (index + 1) * maxSigned),
  );

const unsigned: Sent = {
  accepted: false,
  answer: 'the authorization server refuses to sign its body because it is not a known notification',
};

const toResult = (
  { notificationId, resourceId, failures, secondsSinceFirstFailure }: WaitingNotification,
  { accepted, answer: failure }: Sent,
): Omit<TryResult, 'answer' | 'signature'> => {
  if (accepted) return { notificationId, resourceId, outcome: 'delivered' };
  const waitSeconds = retryAfterSeconds(failures + 1, secondsSinceFirstFailure);
  return waitSeconds === undefined
    ? { notificationId, resourceId, outcome: 'dead', failure }
    : { notificationId, resourceId, outcome: 'waiting', waitSeconds, failure };
};
