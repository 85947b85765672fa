import type { AnswerOf } from '@xs2a/contracts/call';
import { type DuePlace, readDuePayments } from '@xs2a/contracts/payments.contract';
import { type DuePayment, isDueBefore, overdueMs } from '@xs2a/domain/payment/settlement/due';
import { planSettlement, Turns } from '@xs2a/domain/payment/settlement/plan';
import { callContext } from '@xs2a/calls/context';
import type { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import { gauge } from '@xs2a/observability/metrics';
import { unsampledTraceparent } from '@xs2a/observability/tracing/traceparent';
import type { LeaderLock } from '@xs2a/postgres/leader-lock';
import type { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { PostponedPayments } from './postponed-payments.js';
import { SettlementBatches } from './settlement-batches.js';
import { SettlementSaga } from './settlement-saga.js';
import { TakenPayments } from './taken-payments.js';
import { UnfinishedTable } from './unfinished-table.js';

const everyMs = 1000;
/**
 * How often a pass reads from the oldest due payment. Passes in between start slightly before the time of the last
 * pass, so that they do not scan index entries of payments that were completed long ago.
 */
const fullPassEveryMs = 5000;
/**
 * How much later than its due time a payment may become visible: it can be due from the moment of signing, but
 * becomes visible only when the signature is committed.
 */
const maxCommitMs = 5000;
const pageSize = 800;
/** Max number of payments waiting for others before the next page is read. */
const maxWaiting = 2000;
/** Max number of payments that a pass leaves for the next one. */
const maxOutOfTurn = 2000;
const zeroId = '00000000-0000-0000-0000-000000000000';
const oldestDue = gauge(
  'xs2a_due_oldest_seconds',
  'How long the oldest payment, occurrence or entry has been due, by the bank’s clock; 0 when nothing is due',
  [],
);

type DuePage = AnswerOf<typeof readDuePayments>;

interface DueWorkOptions {
  readonly lock: LeaderLock;
  readonly callClient: CallClient;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Settles and books the payments that the payments service reports as due, while this worker is the leader. It
 * asks every second, and immediately when woken. Payments of other accounts do not wait for overdue ones to finish.
 */
export class DueWork {
  private readonly sweep: Sweep;
  private taken = new TakenPayments();
  private readonly postponed: PostponedPayments;
  private readonly batches: SettlementBatches;
  private readonly stopping = new AbortController();
  private down = false;
  /** A successful pass has seen everything that was due before this place. */
  private quickPassFrom: DuePlace | undefined;
  private fullPassAt = 0;
  /**
   * The last lane whose oldest payments were read ahead of their turn; if undefined, reading starts with the first
   * lane.
   */
  private laneSeen: number | undefined;

  constructor(private readonly options: DueWorkOptions) {
    const { lock, callClient, clock, logger } = options;
    const unfinished = new UnfinishedTable(lock.client);
    const postponed = new PostponedPayments(unfinished);
    const saga = new SettlementSaga(
      callClient,
      unfinished,
      lock,
      (payment) => this.taken.isAhead(payment.paymentId) || postponed.mayBeCovered(payment),
    );
    this.postponed = postponed;
    const defer = async (payment: DuePayment): Promise<void> => {
      if (!this.taken.isAhead(payment.paymentId)) return postponed.defer(payment);
      this.taken.leaveForItsTurn(payment.paymentId);
      return unfinished.finish([payment.paymentId]);
    };
    this.batches = new SettlementBatches({ saga, postponed, defer, logger, stopping: this.stopping.signal });
    this.sweep = new Sweep({
      name: 'settlement',
      everyMs,
      clock,
      logger,
      run: async () =>
        callContext.run(
          { requestId: newId(), traceparent: unsampledTraceparent(), actor: 'settlement-worker' },
          async () => this.pass(),
        ),
      onState: (error) => {
        this.down = error !== undefined;
        if (this.down) this.fullPassAt = 0;
      },
    });
    this.sweep.start();
  }

  /** Signals that something may have become due. */
  wake(): void {
    this.sweep.wakeUp();
  }

  /** Processes all work that is currently due. Throws the error that stops it. */
  async drain(): Promise<void> {
    this.fullPassAt = 0;
    await this.sweep.drain();
  }

  /** Stops once the batches in progress have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.sweep.stop();
    // Another worker now measures it; an alert on the last value would never end.
    oldestDue.reset();
  }

  degraded(): string | undefined {
    if (this.down) return 'due payments wait for a service or the database';
    const { count } = this.postponed;
    return count > 0 ? `${count} due payments failed and will be retried` : undefined;
  }

  /**
   * Processes what an earlier pass left unfinished, then what is due. Returns the number of payments settled or
   * booked.
   */
  private async pass(): Promise<number> {
    const unfinished = await this.postponed.reload();
    // A payment that cannot be finished stays due, so this pass reads everything.
    if (unfinished.length > 0) this.fullPassAt = 0;
    await this.batches.cleanUp(unfinished);
    return this.settleDue(await this.readFirstPage());
  }

  /**
   * Processes due payments page by page, in order. A payment that must wait until an order's next occurrence is
   * known is left for the next pass, which starts at the due time of that payment. If more than a page is overdue,
   * other accounts do not wait for all of it: each page is followed by the oldest payments of other accounts.
   */
  private async settleDue(first: DuePage): Promise<number> {
    const turns = new Turns(first.now);
    this.taken = new TakenPayments();
    let page: DuePage | undefined = first;
    let { next } = first;
    let open = this.take(first);
    let [done, outOfTurn] = [0, 0];
    while ((next !== undefined || open.length > 0) && !this.stopping.signal.aborted) {
      const due = turns.of(open);
      outOfTurn += open.length - due.length;
      if (outOfTurn > maxOutOfTurn) next = undefined;
      const { ready, waiting } = planSettlement(due);
      const reading: Promise<[DuePage | undefined, DuePage | undefined]> = Promise.all([
        next !== undefined && waiting.length < maxWaiting ? this.read(next) : undefined,
        this.readAhead(page),
      ]);
      // Awaited after the work. If the work fails as well, its error is thrown and the whole pass is
      // repeated.
      reading.catch(() => undefined);
      await this.batches.settle(ready);
      done += ready.length;
      const [following, ahead] = await reading;
      page = following;
      if (page !== undefined) next = page.next;
      // A waiting payment that was taken ahead of its turn comes after the earlier payments of this page.
      open = [...waiting, ...this.take(page), ...this.takeAhead(ahead)].toSorted(byTurn);
    }
    const committed = new Date(Date.parse(first.now) - maxCommitMs).toISOString();
    const { until } = turns;
    this.quickPassFrom = { dueAt: until < committed ? until : committed, paymentId: zeroId };
    return done;
  }

  /** Returns the payments of a page that this pass can process, without those that must wait. */
  private take(page: DuePage | undefined): readonly DuePayment[] {
    return this.postponed.leaveOut(this.taken.inTurn(page?.payments ?? []));
  }

  private takeAhead(page: DuePage | undefined): readonly DuePayment[] {
    return this.postponed.leaveOut(this.taken.aheadOfTurn(page?.payments ?? []));
  }

  /**
   * After a page of overdue payments that is followed by more, reads the oldest payments of accounts that are not
   * on the page, as many as fit.
   */
  private async readAhead(page: DuePage | undefined): Promise<DuePage | undefined> {
    const last = page?.payments.at(-1);
    if (page?.next === undefined || last === undefined) return undefined;
    if (Date.parse(last.dueAt) > Date.parse(page.now) - overdueMs) return undefined;
    const ahead = {
      after: this.laneSeen,
      except: page.lanes ?? [],
    };
    const found = await this.options.callClient.call(readDuePayments, { limit: pageSize, ahead });
    this.laneSeen = found.nextLane;
    return found;
  }

  private async readFirstPage(): Promise<DuePage> {
    if (performance.now() < this.fullPassAt) return this.read(this.quickPassFrom);
    this.fullPassAt = performance.now() + fullPassEveryMs;
    const page = await this.read(undefined);
    oldestDue.set({}, secondsDue(page));
    return page;
  }

  private async read(after: DuePlace | undefined): Promise<DuePage> {
    return this.options.callClient.call(readDuePayments, { after, limit: pageSize });
  }
}

const byTurn = (one: DuePayment, other: DuePayment): number => (isDueBefore(one, other) ? -1 : 1);

/**
 * Returns how many seconds the oldest payment of a first page has been due, including a failed payment that waits
 * for its retry.
 */
const secondsDue = ({ now, payments: [oldest] }: DuePage): number =>
  oldest === undefined ? 0 : (Date.parse(now) - Date.parse(oldest.dueAt)) / 1000;
