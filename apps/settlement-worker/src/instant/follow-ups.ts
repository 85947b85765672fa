import { voidHolds } from '@xs2a/contracts/accounts.contract';
import {
  type DueInstant,
  readDueInstants,
  recordInstants,
  sendInstant,
} from '@xs2a/contracts/instant/instant.contract';
import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import { failpoint } from '@xs2a/runtime/failpoint';
import { retryAfterSeconds } from '../retry.js';
import type { UnfinishedTable } from '../unfinished-table.js';
import type { FollowUp, FollowUpTable } from './follow-up-table.js';

const atOnce = 20;
/** A bank that still has no outcome is not waited for. */
const answerWithinMs = 1500;

/** An order of which the bank never heard is surely not sent with this deadline, whatever the bank's clock says. */
const longPast = new Date(0).toISOString();

/**
 * Finds out what became of rejected instant payments whose bank did not answer in time. It voids the hold once the bank
 * is back and the hold can no longer be placed, also if the database has lost the payment, and records a confirmation
 * that came too late, which changes nothing for the payer.
 */
export class FollowUps {
  constructor(
    private readonly table: FollowUpTable,
    private readonly unfinished: Pick<UnfinishedTable, 'finish'>,
    private readonly callClient: CallClient,
    private readonly logger: Logger,
  ) {}

  /** Makes the attempts that are due. Returns the number of payments of which nothing is left to do. */
  async run(): Promise<number> {
    const due = await this.table.readDue(atOnce);
    if (due.length === 0) return 0;
    const only = due.map(toRef);
    const { payments, unknown = [] } = await this.callClient.call(readDueInstants, { limit: 0, only });
    const outcomes = await Promise.all(
      due.map(async (followUp) => {
        const payment = payments.find(({ paymentId }) => paymentId === followUp.paymentId);
        // The database went back to before the payment. Of a lost order that was sent, only an operator can find out.
        if (unknown.includes(followUp.paymentId) && !followUp.sent) return this.tryLost(followUp);
        return payment?.progress.next === 'none' ? this.tryOne(followUp, payment) : this.postpone(followUp);
      }),
    );
    return outcomes.filter(Boolean).length;
  }

  /** Makes an attempt for a payment that does not exist any more, which nobody else would finish. */
  private async tryLost(followUp: FollowUp): Promise<boolean> {
    const isOver = await this.tryOne(followUp);
    if (isOver) await this.unfinished.finish([followUp.paymentId]);
    return isOver;
  }

  /** Makes an attempt. Returns true if nothing is left to do. */
  private async tryOne(followUp: FollowUp, payment?: Pick<DueInstant, 'order'>): Promise<boolean> {
    const { paymentId, failures, sent, holdPossible } = followUp;
    try {
      await this.callClient.call(voidHolds, { paymentIds: [paymentId] });
      failpoint('instant.follow-up-voided');
      if (sent && payment !== undefined && (await this.wasPaid(followUp, payment.order)))
        await this.table.confirm(paymentId);
      else if (holdPossible) await this.table.awaitHold(paymentId);
      else await this.table.finish([paymentId]);
      return !holdPossible;
    } catch (error) {
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

  /** Returns true if the payee was paid although the payment is rejected. The order is not sent now. */
  private async wasPaid(followUp: FollowUp, order: DueInstant['order']): Promise<boolean> {
    const { paymentId } = followUp;
    const answer = await this.callClient.call(
      { ...sendInstant, timeoutMs: answerWithinMs },
      { paymentId, order, deadline: longPast },
    );
    const step = { step: 'answered', answer } as const;
    const { results } = await this.callClient.call(recordInstants, {
      records: [{ ...toRef(followUp), step }],
    });
    const [result = { failure: 'dependencyDown' as const }] = results;
    if ('failure' in result) throw callFailed(result.failure);
    const { answeredLate } = result;
    failpoint('instant.follow-up-recorded');
    if (answeredLate) this.logger.warn({ paymentId }, 'an instant payment was confirmed after its rejection');
    return answeredLate;
  }
}

const toRef = ({ paymentId, partOf }: TransactionRef): TransactionRef =>
  partOf === undefined ? { paymentId } : { paymentId, partOf };
