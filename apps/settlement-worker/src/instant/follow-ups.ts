import { voidHolds } from '@xs2a/contracts/accounts.contract';
import {
  type DueInstant,
  readDueInstants,
  recordInstant,
  sendInstant,
} from '@xs2a/contracts/instant/instant.contract';
import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import type { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import { retryAfterSeconds } from '../retry.js';
import type { FollowUp, FollowUpTable } from './follow-up-table.js';

const atOnce = 20;
/** A bank that still has no outcome is not waited for. */
const answerWithinMs = 1500;

/**
 * Finds out what became of rejected instant payments whose bank did not answer in time. It voids the hold once the bank is back, and
 * records a confirmation that came too late, which changes nothing for the payer.
 */
export class FollowUps {
  constructor(
    private readonly table: FollowUpTable,
    private readonly callClient: CallClient,
    private readonly logger: Logger,
  ) {}

  /** Makes the attempts that are due. Returns the number of payments of which nothing is left to do. */
  async run(): Promise<number> {
    const due = await this.table.readDue(atOnce);
    if (due.length === 0) return 0;
    const only = due.map(toRef);
    const { payments } = await this.callClient.call(readDueInstants, { limit: 0, only });
    const outcomes = await Promise.all(
      due.map(async (followUp) => {
        const payment = payments.find(({ paymentId }) => paymentId === followUp.paymentId);
        return payment?.progress.next === 'none'
          ? this.tryOne(followUp, async () => this.ask(followUp, payment))
          : this.postpone(followUp);
      }),
    );
    return outcomes.filter(Boolean).length;
  }

  private async tryOne(followUp: FollowUp, ask: () => Promise<boolean>): Promise<boolean> {
    try {
      const isLate = await ask();
      await (isLate ? this.table.confirm(followUp.paymentId) : this.table.finish(followUp.paymentId));
      return true;
    } catch (error) {
      const { paymentId, failures } = followUp;
      if (failures === 0)
        this.logger.warn(
          { error, paymentId },
          'the bank does not say what became of an instant payment; will retry',
        );
      return this.postpone(followUp);
    }
  }

  private async postpone({ paymentId, failures }: FollowUp): Promise<false> {
    await this.table.postpone(paymentId, retryAfterSeconds(failures + 1));
    return false;
  }

  /** Returns true if the payee was paid although the payment is rejected. The order is not sent now: its deadline has passed. */
  private async ask(followUp: FollowUp, { order }: Pick<DueInstant, 'order'>): Promise<boolean> {
    const { paymentId, since } = followUp;
    await this.callClient.call(voidHolds, { paymentIds: [paymentId] });
    const answer = await this.callClient.call(
      { ...sendInstant, timeoutMs: answerWithinMs },
      { paymentId, order, deadline: since.toISOString() },
    );
    const step = { step: 'answered', answer } as const;
    const { answeredLate } = await this.callClient.call(recordInstant, { ...toRef(followUp), step });
    if (answeredLate) this.logger.warn({ paymentId }, 'an instant payment was confirmed after its rejection');
    return answeredLate;
  }
}

const toRef = ({ paymentId, partOf }: TransactionRef): TransactionRef =>
  partOf === undefined ? { paymentId } : { paymentId, partOf };
