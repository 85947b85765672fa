import { type DueInstant, readDueInstants } from '@xs2a/contracts/instant/instant.contract';
import { callContext } from '@xs2a/calls/context';
import type { CallClient } from '@xs2a/calls/client';
import { inTraceOf } from '@xs2a/calls/in-span';
import type { Logger } from '@xs2a/observability/logger';
import { unsampledTraceparent } from '@xs2a/observability/tracing/traceparent';
import type { LeaderLock } from '@xs2a/postgres/leader-lock';
import { Sweep } from '@xs2a/runtime/background/sweep';
import type { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { toReason } from '../retry.js';
import { UnfinishedTable } from '../unfinished-table.js';
import { FollowUpTable } from './follow-up-table.js';
import { FollowUps } from './follow-ups.js';
import { InstantSaga } from './instant-saga.js';
import { SendSlots, toWish } from './send-slots.js';

/** How often payments are looked for that no signature announced, or whose step failed. */
const everyMs = 500;
const followUpEveryMs = 1000;
/** A payment whose bank is silent takes ten seconds, so many are under way at once. */
const maxRunning = 800;
const pageSize = 200;
/** Milliseconds until a payment whose step failed is continued; they double up to the maximum. */
const againMs = 100;
const maxAgainMs = 1000;
/** Seconds that a failing payment stays among the unfinished ones, unless it fails again or succeeds. */
const shownSeconds = 10;
const actor = 'settlement-worker';

interface InstantWorkOptions {
  readonly lock: LeaderLock;
  readonly callClient: CallClient;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Executes instant payments, and the entries of bulk payments of them, while this worker is the leader: none waits for
 * another, for due payments of other products or for the minute of the batch job. A signature wakes it.
 */
export class InstantWork {
  private readonly running = new Map<string, Promise<void>>();
  /** Payments whose last step failed, by booking id. */
  private readonly failed = new Map<string, { readonly failures: number; readonly againAt: number }>();
  private readonly slots = new SendSlots();
  private readonly unfinished: UnfinishedTable;
  private readonly stopping = new AbortController();
  private readonly saga: InstantSaga;
  private readonly sweeps: readonly [due: Sweep, followUps: Sweep];
  private down = false;

  constructor(private readonly options: InstantWorkOptions) {
    const { lock, callClient, clock, logger } = options;
    const table = new FollowUpTable(lock.client);
    this.unfinished = new UnfinishedTable(lock.client);
    this.saga = new InstantSaga({
      callClient,
      lock,
      clock,
      followUps: table,
      slots: this.slots,
      stopping: this.stopping.signal,
    });
    const followUps = new FollowUps(table, this.unfinished, callClient, logger);
    const sweep = (name: string, pauseMs: number, run: () => Promise<number>): Sweep =>
      new Sweep({
        name,
        everyMs: pauseMs,
        clock,
        logger,
        run: async () =>
          callContext.run({ requestId: newId(), traceparent: unsampledTraceparent(), actor }, run),
        onState: (error) => {
          this.down = error !== undefined;
        },
      });
    this.sweeps = [
      sweep('instant payments', everyMs, async () => this.pass()),
      sweep('late answers to instant payments', followUpEveryMs, async () => followUps.run()),
    ];
    for (const one of this.sweeps) one.start();
  }

  /** Signals that an instant payment was signed. */
  wake(): void {
    this.sweeps[0].wakeUp();
  }

  /** Stops after the steps in progress. Another instance continues the payments. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.sweeps.map(async (sweep) => sweep.stop()));
    await Promise.all(this.running.values());
  }

  degraded(): string | undefined {
    return this.down ? 'instant payments wait for a service or the database' : undefined;
  }

  /** Starts what is due and not under way. Returns the number of payments started. */
  private async pass(): Promise<number> {
    const free = maxRunning - this.running.size;
    if (free <= 0) return 0;
    const except = [...this.running.keys(), ...this.failed.keys()].filter((id) => !this.mayStart(id));
    const limit = Math.min(pageSize, free);
    const { payments } = await this.options.callClient.call(readDueInstants, { limit, except });
    const found = payments
      .filter(({ paymentId }) => this.mayStart(paymentId))
      .slice(0, free)
      // The time of an entry begins when it is taken up, so it waits for a slot before that.
      .filter((payment) => payment.partOf === undefined || this.slots.take(toWish(payment)));
    for (const payment of found) this.start(payment);
    return found.length;
  }

  private mayStart(paymentId: string): boolean {
    const againAt = this.failed.get(paymentId)?.againAt ?? 0;
    return !this.running.has(paymentId) && againAt <= performance.now();
  }

  private start(payment: DueInstant): void {
    const { paymentId, traceparent } = payment;
    const context = { requestId: newId(), actor };
    const span = { name: 'execute instant payment', kind: 'CONSUMER', attributes: {} } as const;
    const run = inTraceOf([traceparent], { context, span }, async () =>
      this.saga.run(payment, { ownCalls: this.failed.has(paymentId) }),
    )
      .then(async () => this.succeeded(payment))
      .catch(async (error: unknown) => this.postpone(payment, error))
      .finally(() => {
        this.running.delete(paymentId);
        if (payment.partOf === undefined) return;
        this.slots.free(toWish(payment));
        // The next entry waits for this one.
        if (!this.failed.has(paymentId)) this.wake();
      });
    this.running.set(paymentId, run);
  }

  private async succeeded({ paymentId }: DueInstant): Promise<void> {
    if (this.stopping.signal.aborted || !this.failed.has(paymentId)) return;
    await this.unfinished.finish([paymentId]);
    this.failed.delete(paymentId);
  }

  /** Lets a failed payment wait, and shows it to the operators. Only its first failure is logged. */
  private async postpone(payment: DueInstant, error: unknown): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const { paymentId } = payment;
    const failures = (this.failed.get(paymentId)?.failures ?? 0) + 1;
    const waitMs = Math.min(maxAgainMs, againMs * 2 ** (failures - 1));
    this.failed.set(paymentId, { failures, againAt: performance.now() + waitMs });
    const { logger } = this.options;
    if (failures === 1) logger.warn({ error, paymentId }, 'an instant payment failed; will retry');
    // If the session is lost, so is the lock, and the next active worker counts again.
    await this.unfinished.postpone(payment, shownSeconds, toReason(error)).catch(() => undefined);
  }
}
