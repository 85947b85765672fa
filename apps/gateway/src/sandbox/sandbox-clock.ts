import { advanceClock } from '@xs2a/contracts/accounts.contract';
import { expireDueConsents } from '@xs2a/contracts/consents.contract';
import { expireDuePayments } from '@xs2a/contracts/payments.contract';
import type { ClockMove } from '@xs2a/contracts/sandbox/clock-moves.contract';
import { drainSettlement } from '@xs2a/contracts/settlement.contract';
import type { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import { setTimeout as wait } from 'node:timers/promises';

/** The maximum real time in milliseconds to wait for due work, so that a service that hangs does not block the call. */
const catchUpMs = 5000;

/** Advances the shared clock and triggers the work that becomes due. */
export class SandboxClock {
  constructor(
    private readonly callClient: CallClient,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Advances the clock, and returns the new time once the expiries and settlements that are due have been
   * processed or have failed; services process failed ones later by themselves. Throws CallFailed if the clock
   * itself could not be advanced.
   */
  async advance(byMs: number, move: Omit<ClockMove, 'movedAt'>): Promise<string> {
    const { offsetMs } = await this.callClient.call(advanceClock, { byMs, move });
    this.clock.raiseTo(offsetMs);
    const all = Promise.all([
      this.runAndLog('expire payments', () => this.callClient.call(expireDuePayments, {})),
      this.runAndLog('expire consents', () => this.callClient.call(expireDueConsents, {})),
      this.runAndLog('settle', () => this.callClient.call(drainSettlement, {})),
    ]);
    await Promise.race([all, wait(catchUpMs, undefined, { ref: false })]);
    return this.clock.now();
  }

  private async runAndLog(work: string, run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.logger.warn({ error, work }, 'due work did not finish within the clock call');
    }
  }
}
