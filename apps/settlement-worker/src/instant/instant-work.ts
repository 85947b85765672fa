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
import { FollowUpTable } from './follow-up-table.js';
import { FollowUps } from './follow-ups.js';
import { InstantSaga } from './instant-saga.js';

/** How often payments are looked for that no signature announced, or whose step failed. */
const everyMs = 500;
const followUpEveryMs = 1000;
/** A payment whose bank is silent takes ten seconds, so many are under way at once. */
const maxRunning = 800;
const pageSize = 200;
const actor = 'settlement-worker';

interface InstantWorkOptions {
  readonly lock: LeaderLock;
  readonly callClient: CallClient;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Executes instant payments, and the entries of bulk payments of them, while this worker is the leader, each on its own: none waits for another, for due payments of other
 * products or for the minute of the batch job. A signature wakes it.
 */
export class InstantWork {
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly saga: InstantSaga;
  private readonly sweeps: readonly [due: Sweep, followUps: Sweep];
  private down = false;

  constructor(private readonly options: InstantWorkOptions) {
    const { lock, callClient, clock, logger } = options;
    const table = new FollowUpTable(lock.client);
    this.saga = new InstantSaga({
      callClient,
      lock,
      clock,
      followUps: table,
      stopping: this.stopping.signal,
    });
    const followUps = new FollowUps(table, callClient, logger);
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
    const limit = this.running.size + Math.min(pageSize, free);
    const { payments } = await this.options.callClient.call(readDueInstants, { limit });
    const found = payments.filter(({ paymentId }) => !this.running.has(paymentId));
    for (const payment of found) this.start(payment);
    return found.length;
  }

  private start(payment: DueInstant): void {
    const { paymentId, traceparent } = payment;
    const context = { requestId: newId(), actor };
    const span = { name: 'execute instant payment', kind: 'CONSUMER', attributes: {} } as const;
    const run = inTraceOf([traceparent], { context, span }, async () => this.saga.run(payment))
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted)
          this.options.logger.warn({ error, paymentId }, 'an instant payment failed; will retry');
      })
      .finally(() => {
        this.running.delete(paymentId);
        // The next entry of a bulk payment waits for this one.
        if (payment.partOf !== undefined) this.wake();
      });
    this.running.set(paymentId, run);
  }
}
