import { retryAfterSeconds } from '@xs2a/domain/notification/retry-schedule';
import type { Logger } from '@xs2a/observability/logger';
import { counter } from '@xs2a/observability/metrics';
import type { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { Sweep } from '@xs2a/runtime/sweep';
import type { NotificationTable, TryResult, WaitingNotification } from './notification-table.js';
import type { NotificationSender } from './send-notification.js';

/** Max notifications of one TPP on their way at the same time: a receiver that hangs holds up its own TPP alone. */
const perTpp = 8;
const everyMs = 250;
const tries = counter('xs2a_notification_tries_total', 'Tries to send a notification', ['outcome']);

export interface DeliveryOptions {
  readonly table: NotificationTable;
  readonly sender: NotificationSender;
  /** Detached signatures of bodies, in their order. Throws when nobody can sign now. */
  readonly sign: (bodies: readonly string[]) => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the dispatcher's turn: what became of a try cannot be recorded. */
  readonly onLost: (error: unknown) => void;
}

/** Sends the notifications whose time has come, several at once, those of one resource one after the other. */
export class Delivery {
  private readonly sweep: Sweep;
  /** On their way or not yet recorded: ids by TPP. */
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

  /** There may be something to send. */
  wake(): void {
    this.sweep.kick();
  }

  degraded(): string | undefined {
    return this.problem === undefined ? undefined : 'notifications wait for a signature or the database';
  }

  /** Ends with the tries under way. */
  async stop(): Promise<void> {
    await this.sweep.stop();
    await Promise.allSettled(this.sending);
    await this.recording;
  }

  /** Starts what is due and has room; answers how many. */
  private async startDue(): Promise<number> {
    const due = await this.options.table.due(perTpp);
    const started = due.filter((one) => this.reserve(one));
    if (started.length === 0) return 0;
    try {
      const signatures = await this.options.sign(started.map(({ body }) => body));
      for (const [index, notification] of started.entries()) {
        const trying = this.try(notification, signatures[index] ?? '');
        this.sending.add(trying);
        void trying.finally(() => this.sending.delete(trying));
      }
    } catch (error) {
      for (const one of started) this.release(one);
      throw error;
    }
    return started.length;
  }

  /** Counts it among those of its TPP that are under way; false when there are as many as may be. */
  private reserve({ tppId, notificationId }: WaitingNotification): boolean {
    const ids = this.underWay.get(tppId) ?? new Set();
    if (ids.size >= perTpp || ids.has(notificationId)) return false;
    this.underWay.set(tppId, ids.add(notificationId));
    return true;
  }

  private release({ tppId, notificationId }: Pick<WaitingNotification, 'tppId' | 'notificationId'>): void {
    const ids = this.underWay.get(tppId);
    ids?.delete(notificationId);
    if (ids?.size === 0) this.underWay.delete(tppId);
  }

  private async try(notification: WaitingNotification, signature: string): Promise<void> {
    const { notificationId, uri, body } = notification;
    const failure = await this.options.sender.send({ uri, body, requestId: notificationId, signature });
    failpoint('notifications.after-send');
    const result = resultOf(notification, failure);
    tries.inc({ outcome: failure === undefined ? 'delivered' : 'failed' });
    if (result.outcome === 'dead') {
      const { resourceId, tppId } = notification;
      this.options.logger.warn(
        { notificationId, resourceId, tppId, failure },
        'a notification was tried for 24 hours and is a dead letter now',
      );
    }
    this.unrecorded.push(result);
    this.recording ??= this.recordAll();
    await this.recording;
    this.release(notification);
    this.wake();
  }

  /** Records what has come together meanwhile in one statement, until there is nothing left. */
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

const resultOf = (
  { notificationId, resourceId, failures, secondsSinceFirstFailure }: WaitingNotification,
  failure: string | undefined,
): TryResult => {
  if (failure === undefined) return { notificationId, resourceId, outcome: 'delivered' };
  const waitSeconds = retryAfterSeconds(failures + 1, secondsSinceFirstFailure);
  return waitSeconds === undefined
    ? { notificationId, resourceId, outcome: 'dead', failure }
    : { notificationId, resourceId, outcome: 'waiting', waitSeconds, failure };
};
