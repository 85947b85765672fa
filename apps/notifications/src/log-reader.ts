import type { CallClient } from '@xs2a/calls/client';
import { readConsentNotifications, readPaymentNotifications } from '@xs2a/contracts/notifications.contract';
import { OneAtATime } from '@xs2a/runtime/one-at-a-time';
import type { NotificationTable, Progress } from './notification-table.js';

/** The services whose changes are sent to TPPs, by the names under which their checkpoints are kept. */
export const sources = { payments: readPaymentNotifications, consents: readConsentNotifications } as const;
export type Source = keyof typeof sources;

/** Max number of resources that are asked for again before a pause, unless one of them could be read on. */
const maxAskedAgain = 20;

interface Parts {
  readonly table: NotificationTable;
  readonly callClient: CallClient;
  /** Called after notifications were stored. */
  readonly onStored: () => void;
}

/**
 * Reads the notifications of one service behind its checkpoint, and stores them together with the new one, so that nothing is
 * left out and nothing comes twice. A resource whose changes the service cannot read now is recorded; the others continue. What comes of
 * it later waits, so that its notifications stay in order, until all of it could be read.
 */
export class LogReader {
  private progress: Progress | undefined;
  private readonly turns = new OneAtATime();
  /** The resources asked for again since the last pause, and whether one of them could be read on. */
  private round = { asked: 0, hasProgress: false };

  constructor(
    private readonly source: Source,
    private readonly parts: Parts,
  ) {}

  /** Number of resources whose changes could not be read. */
  get unread(): number {
    return this.progress?.unread.size ?? 0;
  }

  /** Reads the next page. False: nothing has happened. */
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
   * Asks again for the resource that was not asked for longest. False: nothing more is to be asked now, since nothing waits or a
   * whole round has changed nothing.
   */
  async readAgain(): Promise<boolean> {
    this.round.asked += 1;
    this.round.hasProgress = (await this.readNextAgain()) || this.round.hasProgress;
    const { asked, hasProgress } = this.round;
    if (asked < Math.min(this.unread, maxAskedAgain)) return true;
    this.round = { asked: 0, hasProgress: false };
    return hasProgress && this.unread > 0;
  }

  /** True: more of it could be read than before. */
  private async readNextAgain(): Promise<boolean> {
    return this.inTurn(async (progress) => {
      const { table, callClient } = this.parts;
      const [next] = progress.unread;
      if (next === undefined) return false;
      const [resourceId, pos] = next;
      // At the end of the map, so that the others have their turn, also when this one fails.
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
