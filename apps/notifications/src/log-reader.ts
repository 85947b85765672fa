import type { CallClient } from '@xs2a/calls/client';
import { readConsentNotifications, readPaymentNotifications } from '@xs2a/contracts/notifications.contract';
import { OneAtATime } from '@xs2a/runtime/one-at-a-time';
import type { NotificationTable, Progress } from './notification-table.js';

/** The services whose changes are sent to TPPs, by the names of their checkpoints. */
export const sources = { payments: readPaymentNotifications, consents: readConsentNotifications } as const;
export type Source = keyof typeof sources;

/** Max number of resources that are retried before a pause, unless one of them makes progress. */
const maxAskedAgain = 20;

interface Parts {
  readonly table: NotificationTable;
  readonly callClient: CallClient;
  /** Called after notifications have been stored. */
  readonly onStored: () => void;
}

/**
 * Reads a service's notifications after its checkpoint and stores them together with the new checkpoint, so that
 * none is omitted or repeated. If the service cannot read a resource's changes now, the resource is recorded as
 * unread and the others continue. Later changes of that resource wait until all of it can be read, so that its
 * notifications stay in order.
 */
export class LogReader {
  private progress: Progress | undefined;
  private readonly turns = new OneAtATime();
  /** The resources retried since the last pause, and whether one of them made progress. */
  private round = { asked: 0, hasProgress: false };

  constructor(
    private readonly source: Source,
    private readonly parts: Parts,
  ) {}

  /** Number of resources with unreadable changes. */
  get unread(): number {
    return this.progress?.unread.size ?? 0;
  }

  /** Reads the next page. Returns false if there was nothing to do. */
  async readOn(): Promise<boolean> {
    return this.inTurn(async (progress) => {
      const { table, callClient } = this.parts;
      const { after } = progress;
      const page = await callClient.call(sources[this.source], { after });
      const { next, unread } = page;
      if (next === after) return false;
      const notifications = page.notifications.filter(({ resourceId }) => !progress.unread.has(resourceId));
      await table.store(this.source, { notifications, next, unread });
      progress.after = next;
      for (const { resourceId, pos } of unread)
        if (!progress.unread.has(resourceId)) progress.unread.set(resourceId, pos);
      if (notifications.length > 0) this.parts.onStored();
      return true;
    });
  }

  /**
   * Retries the resource whose last attempt is the oldest. Returns false if there is nothing more to retry now: no
   * resource is waiting, or a whole round has made no progress.
   */
  async readAgain(): Promise<boolean> {
    this.round.asked += 1;
    this.round.hasProgress = (await this.readNextAgain()) || this.round.hasProgress;
    const { asked, hasProgress } = this.round;
    if (asked < Math.min(this.unread, maxAskedAgain)) return true;
    this.round = { asked: 0, hasProgress: false };
    return hasProgress && this.unread > 0;
  }

  /** True if the resource could be read further than before. */
  private async readNextAgain(): Promise<boolean> {
    return this.inTurn(async (progress) => {
      const { table, callClient } = this.parts;
      const [next] = progress.unread;
      if (next === undefined) return false;
      const [resourceId, pos] = next;
      // Moves the resource to the end of the map, so that the others get their turn even if this one fails.
      progress.unread.delete(resourceId);
      progress.unread.set(resourceId, pos);
      const page = await callClient.call(sources[this.source], {
        after: pos - 1,
        only: { resourceId, upTo: progress.after },
      });
      const rest = page.unread[0]?.pos ?? (page.next < progress.after ? page.next + 1 : undefined);
      if (rest === pos) return false;
      const { notifications } = page;
      await table.storeReadAgain(this.source, { resourceId, notifications, rest });
      if (rest === undefined) progress.unread.delete(resourceId);
      else progress.unread.set(resourceId, rest);
      if (notifications.length > 0) this.parts.onStored();
      return true;
    });
  }

  private async inTurn<Result>(work: (progress: Progress) => Promise<Result>): Promise<Result> {
    return this.turns.run(this.source, async () => {
      this.progress ??= await this.parts.table.progress(this.source);
      return work(this.progress);
    });
  }
}
