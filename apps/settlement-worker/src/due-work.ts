import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@xs2a/messaging/call-context';
import { dependencyDown } from '@xs2a/messaging/call-failed';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { counter } from '@xs2a/observability/metrics';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { newId } from '@xs2a/runtime/ids';
import { Sweep } from '@xs2a/runtime/sweep';
import { LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool, PoolClient } from 'pg';
import { type Turn, turns } from './batch-turns.js';
import {
  addBookings,
  claimDue,
  claimOne,
  countPostponed,
  type Due,
  type DueKind,
  dueKinds,
  isAnythingDue,
  postponeDue,
  removeDue,
  retriable,
} from './due-table.js';
import { isDown, OutOfStep, reasonOf, retryAfterSeconds } from './retry.js';
import { SettlementSaga } from './settlement-saga.js';

const everyMs = 500;
const largestBatch = 100;
/** Batches of settlements under way at the same time while all goes well: while one waits for a service another works. */
const batchesAtOnce = 4;
/** So many follow each other before what else is due has its turn, and a worker that is to stop does. */
const batchesInRow = 16;
/** Real seconds that a payment waits on whose account a dependency gave no answer. */
const downSeconds = 2;
const finished = counter('xs2a_due_finished_total', 'Due payments brought to their end', ['kind']);
const failed = counter('xs2a_due_failed_total', 'Due payments that failed and were postponed', ['kind']);

/**
 * Works off the due table in batches, each in one transaction that holds the rows' locks: they go when the batch is done,
 * and are there again after any failure.
 */
@Injectable()
export class DueWork implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;
  private batchSize = largestBatch;
  private down = false;
  private postponed = 0;

  constructor(
    private readonly saga: SettlementSaga,
    private readonly clock: Clock,
    health: Health,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sweep = new Sweep({
      name: 'settlement',
      everyMs,
      clock,
      logger,
      run: async () => this.run(),
      onState: (error) => {
        this.down = error !== undefined;
      },
    });
    health.degraded('settlement', () => this.degraded());
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  /** Something may have become due. */
  kick(): void {
    this.sweep.kick();
  }

  /**
   * Works until nothing is due that can be done now, also by other workers; answers how many this one did. Throws what
   * stops the work: CallFailed dependencyDown, also when it takes longer than `limitMs`.
   */
  async drain(limitMs: number): Promise<number> {
    const deadline = performance.now() + limitMs;
    let done = 0;
    do {
      if (performance.now() > deadline) throw dependencyDown();
      done += await this.sweep.drain();
    } while (await isAnythingDue(this.pool, this.clock.now()));
    return done;
  }

  private async run(): Promise<number> {
    let done = 0;
    for (const kind of dueKinds) done += (await this.batches(kind)) + (await this.retries(kind));
    if (done === 0) this.postponed = await countPostponed(this.pool);
    return done;
  }

  /**
   * One batch, or a row of them: several at the same time, and where one has ended the next begins. Throws the first one's
   * reason when any of them was stopped; none begins after that.
   */
  private async batches(kind: DueKind): Promise<number> {
    const healthy = kind === 'settle' && this.batchSize === largestBatch;
    const row = turns(healthy ? batchesInRow : 1).values();
    let stopped = false;
    const lane = async (): Promise<number> => {
      let done = 0;
      for (const turn of row) {
        try {
          done += stopped ? 0 : await this.batch(kind, turn);
        } catch (error) {
          stopped = true;
          throw error;
        } finally {
          turn.ended();
        }
      }
      return done;
    };
    let done = 0;
    for (const outcome of await Promise.allSettled(Array.from({ length: batchesAtOnce }, lane))) {
      if (outcome.status === 'rejected') throw outcome.reason;
      done += outcome.value;
    }
    return done;
  }

  private async batch(kind: DueKind, turn: Turn): Promise<number> {
    let claimed: readonly Due[] = [];
    if (!(await turn.mayClaim)) return 0;
    try {
      await inTransaction(this.pool, async (client) => {
        const size = this.batchSize;
        claimed = await claimDue(client, kind, this.clock.now(), size);
        turn.claimed(claimed.length === size);
        if (claimed.length > 0) await this.finish(client, kind, claimed, turn);
      });
      finished.inc({ kind }, claimed.length);
      this.batchSize = Math.min(largestBatch, this.batchSize * 2);
      return claimed.length;
    } catch (error) {
      if (isDown(error)) {
        await this.shrink(kind, claimed, error);
        throw error;
      }
      this.logger.warn(
        { error, kind, payments: claimed.length },
        'a batch of due payments failed; one by one now',
      );
    }
    await turn.earlierEnded;
    for (const due of claimed) await this.alone(kind, due);
    return claimed.length;
  }

  /** What failed before is tried alone, so that it fails no batch again. */
  private async retries(kind: DueKind): Promise<number> {
    const rows = await retriable(this.pool, kind, largestBatch);
    for (const due of rows) await this.alone(kind, due);
    return rows.length;
  }

  /** One payment by itself: one that fails is postponed, and holds up nobody else. */
  private async alone(kind: DueKind, due: Due): Promise<void> {
    try {
      await inTransaction(this.pool, async (client) => {
        const locked = await claimOne(client, kind, due.paymentId);
        if (locked !== undefined) await this.finish(client, kind, [locked]);
      });
      finished.inc({ kind });
    } catch (error) {
      const down = isDown(error);
      const seconds = down ? downSeconds : retryAfterSeconds(due.attempts + 1);
      await this.postpone(kind, due.paymentId, error, seconds);
      if (down) throw error;
      const { paymentId, attempts } = due;
      this.logger.error(
        { error, kind, paymentId, attempts },
        'a due payment failed; it is tried again later',
      );
    }
  }

  private async finish(client: PoolClient, kind: DueKind, rows: readonly Due[], turn?: Turn): Promise<void> {
    failpoint('settlement.after-claim');
    await callContext.run({ requestId: newId(), actor: 'settlement-worker' }, async () => {
      if (kind === 'book') await this.saga.book(rows.map(({ paymentId }) => paymentId));
      else await addBookings(client, await this.saga.settle(rows.map(orderOf), turn));
    });
    await removeDue(
      client,
      kind,
      rows.map(({ paymentId }) => paymentId),
    );
    failpoint('settlement.before-commit');
  }

  /**
   * A service gave no answer. If that is because of one payment, or of too many at once, smaller batches find out; a
   * single one that gets no answer lets the next go first.
   */
  private async shrink(kind: DueKind, claimed: readonly Due[], error: unknown): Promise<void> {
    const [first] = claimed;
    if (first === undefined) return;
    if (this.batchSize === 1) await this.postpone(kind, first.paymentId, error, downSeconds);
    this.batchSize = Math.max(1, Math.floor(this.batchSize / 2));
  }

  private async postpone(kind: DueKind, paymentId: string, error: unknown, seconds: number): Promise<void> {
    await postponeDue(this.pool, kind, paymentId, { seconds, reason: reasonOf(error) });
    failed.inc({ kind });
  }

  private degraded(): string | undefined {
    if (this.down) return 'due payments wait for a service or the database';
    return this.postponed > 0 ? `${this.postponed} due payments failed and are tried again later` : undefined;
  }
}

const orderOf = ({ paymentId, order }: Due) => {
  if (order === null) throw new OutOfStep('a settlement is due without its order');
  return { paymentId, order };
};
