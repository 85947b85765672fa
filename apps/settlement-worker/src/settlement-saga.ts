import { Injectable } from '@nestjs/common';
import { type HoldOrder, placeHolds, postHolds, voidHolds } from '@xs2a/contracts/accounts.contract';
import {
  readSettlementStates,
  recordSettlement,
  type SettlementRecord,
  type SettlementRecorded,
} from '@xs2a/contracts/payments.contract';
import type { FundsRefusalReason } from '@xs2a/domain/payment/payment-events';
import { Requester } from '@xs2a/messaging/requester';
import { failpoint } from '@xs2a/runtime/failpoint';
import { soleTurn, type Turn } from './batch-turns.js';
import { isShort, type Refused, roomMadeFor, triage } from './saga-rules.js';
import { OutOfStep } from './retry.js';

/** A payment whose money moved, and when its entry becomes booked (ISO instant). */
export interface Settled {
  readonly paymentId: string;
  readonly bookAt: string;
}

/**
 * Settles due payments over two services (architecture, Ledger): hold, record ACSP, post, record ACSC. Every step does
 * nothing when it comes again, so the whole may be repeated from the start after any failure. What the payment's stream
 * says decides: a cancellation that came first releases the hold; once settlement is recorded the hold is only ever posted.
 */
@Injectable()
export class SettlementSaga {
  constructor(private readonly requester: Requester) {}

  /**
   * In the order in which they are due; answers those that were paid. Throws when any of them could not be brought to its
   * end. `turn`: the batch's place among those under way.
   */
  async settle(orders: readonly HoldOrder[], turn: Turn = soleTurn()): Promise<Settled[]> {
    const paymentIds = orders.map(({ paymentId }) => paymentId);
    const { payments } = await this.requester.call(readSettlementStates, { paymentIds });
    const { ended, started, settled, open } = triage(orders, payments);
    await this.release(ended);
    const paid = [...settled, ...(await this.post(started))];
    await turn.mayHold;
    let waiting = open;
    let earlierUnderWay = !turn.first;
    while (waiting.length > 0) {
      const { held, released, refused } = await this.hold(waiting, turn);
      paid.push(...(await this.post(held)));
      const again = roomMadeFor(refused, orders, {
        paid: new Set(held.map(({ paymentId }) => paymentId)),
        released,
      });
      if (earlierUnderWay && refused.some(isShort)) {
        await turn.earlierEnded;
        earlierUnderWay = false;
        for (const one of refused.filter(isShort)) again.add(one.paymentId);
      }
      await this.recordRefusals(refused.filter(({ paymentId }) => !again.has(paymentId)));
      waiting = waiting.filter(({ paymentId }) => again.has(paymentId));
    }
    return paid;
  }

  /** Tells the payments that their entries are booked now. */
  async book(paymentIds: readonly string[]): Promise<void> {
    const records = paymentIds.map((paymentId) => ({ paymentId, step: 'entry-booked' as const }));
    mustBeRecorded(await this.record(records));
  }

  private async hold(
    orders: readonly HoldOrder[],
    turn: Turn,
  ): Promise<{ held: Settled[]; released: Set<string>; refused: Refused[] }> {
    const { results } = await this.requester.call(placeHolds, { orders });
    failpoint('settlement.after-hold');
    // One that is short may be tried again, before any payment of the next batch.
    if (!results.some((result) => !result.held && isShort(result))) turn.held();
    const recorded = await this.record(
      results.flatMap((result) =>
        result.held
          ? [
              {
                paymentId: result.paymentId,
                step: 'settlement-started' as const,
                holdId: result.holdId,
                transactionId: result.transactionId,
              },
            ]
          : [],
      ),
    );
    failpoint('settlement.after-started');
    const overtaken = recorded.filter((one) => !one.recorded);
    mustHaveEnded(overtaken);
    const released = overtaken.map(({ paymentId }) => paymentId);
    await this.release(released);
    return {
      held: recorded.filter((one) => one.recorded).map(settledOf),
      released: new Set(released),
      refused: results.flatMap((result) =>
        result.held ? [] : [{ paymentId: result.paymentId, reason: result.reason }],
      ),
    };
  }

  private async post(started: readonly Settled[]): Promise<readonly Settled[]> {
    if (started.length === 0) return [];
    const paymentIds = started.map(({ paymentId }) => paymentId);
    const { results } = await this.requester.call(postHolds, { paymentIds });
    failpoint('settlement.after-post');
    const records = results.map(({ paymentId, posted, postingId }) => {
      if (!posted || postingId === undefined)
        throw new OutOfStep('settlement has started, but there is no hold to post');
      return { paymentId, step: 'settled' as const, postingId };
    });
    mustBeRecorded(await this.record(records));
    failpoint('settlement.after-settled');
    return started;
  }

  private async release(paymentIds: readonly string[]): Promise<void> {
    if (paymentIds.length > 0) await this.requester.call(voidHolds, { paymentIds });
  }

  private async recordRefusals(
    refused: readonly { paymentId: string; reason: FundsRefusalReason }[],
  ): Promise<void> {
    const records = refused.map((one) => ({ ...one, step: 'funds-refused' as const }));
    mustHaveEnded((await this.record(records)).filter((one) => !one.recorded));
  }

  private async record(records: readonly SettlementRecord[]): Promise<readonly SettlementRecorded[]> {
    if (records.length === 0) return [];
    return (await this.requester.call(recordSettlement, { records })).results;
  }
}

const settledOf = ({ paymentId, bookAt }: SettlementRecorded): Settled => {
  if (bookAt === undefined) throw new OutOfStep('settlement has started without a time of booking');
  return { paymentId, bookAt };
};

const mustBeRecorded = (results: readonly SettlementRecorded[]): void => {
  if (results.some(({ recorded }) => !recorded))
    throw new OutOfStep('the money moved, but the payment does not say so');
};

/** A step that the stream refused is only right for a payment that ended without money, never for one that is paid. */
const mustHaveEnded = (results: readonly SettlementRecorded[]): void => {
  if (results.some(({ transactionStatus }) => transactionStatus !== 'CANC' && transactionStatus !== 'ACCP')) {
    throw new OutOfStep('the payment refuses a step although it has not ended');
  }
};
