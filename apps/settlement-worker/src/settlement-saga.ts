import { type HoldOrder, placeHolds, postHolds, voidHolds } from '@xs2a/contracts/accounts.contract';
import {
  readSettlementStates,
  recordSettlement,
  type SettlementRecord,
  type SettlementRecorded,
  type TransactionRef,
} from '@xs2a/contracts/payments.contract';
import type { FundsRefusalReason, HoldRefusalReason } from '@xs2a/domain/payment/payment-events';
import type { DuePayment } from '@xs2a/domain/payment/settlement/due';
import type { CallClient } from '@xs2a/calls/client';
import type { LeaderLock } from '@xs2a/postgres/leader-lock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { OutOfStep } from './retry.js';
import type { UnfinishedTable } from './unfinished-table.js';

interface Refused {
  readonly paymentId: string;
  readonly reason: FundsRefusalReason;
}

/**
 * Settles due payments across two services (architecture, Ledger): hold, record ACSP, post, record ACSC; later
 * record that the entry is booked. Every step is idempotent, so the whole sequence may be repeated after any
 * failure. The payment's stream decides: an earlier cancellation releases the hold; once settlement is recorded,
 * the hold can only be posted.
 */
export class SettlementSaga {
  constructor(
    private readonly callClient: CallClient,
    private readonly unfinished: UnfinishedTable,
    private readonly lock: Pick<LeaderLock, 'confirm'>,
    /** True if a payment that lacks funds may still be covered, so that it must not be refused. */
    private readonly mayBeCovered: (payment: DuePayment) => boolean,
  ) {}

  /**
   * Advances up to 100 payments by one step or by all steps, in the given order; none of them may pay into the
   * debtor account of another. Returns the payments that lack funds but may still be covered, which remain
   * undecided. Throws if any other payment could not be completed.
   */
  async settle(payments: readonly DuePayment[]): Promise<readonly string[]> {
    const inStatus = (status: DuePayment['transactionStatus']): readonly DuePayment[] =>
      payments.filter(({ transactionStatus }) => transactionStatus === status);
    const started = inStatus('ACSP');
    // These payments already have holds, unless the ledger's database was reset to an earlier state; in that
    // case the holds are placed again.
    if (started.length > 0) await this.callClient.call(placeHolds, { orders: ordersFor(started) });
    const { held, deferred } = await this.hold(inStatus('ACCP'));
    await this.post([...started, ...held]);
    mustBeRecorded(
      await this.record(inStatus('ACSC').map((payment) => ({ ...toRef(payment), step: 'entry-booked' }))),
    );
    failpoint('settlement.before-finish');
    const left = new Set(deferred);
    await this.unfinished.finish([...listIds(payments)].filter((paymentId) => !left.has(paymentId)));
    return deferred;
  }

  /**
   * Cleans up payments that a crash or failure left unfinished. Releases the holds of payments that have ended and
   * are not due; a posted hold stays posted. Returns the payments that have not ended and are not due, or that the
   * payments service does not know; they are neither paid nor released here.
   */
  async cleanUp(payments: readonly TransactionRef[]): Promise<TransactionRef[]> {
    const { payments: states } = await this.callClient.call(readSettlementStates, {
      payments: payments.map(toRef),
    });
    const ended = listIds(states.filter((state) => state.ended && !state.due));
    await this.release([...ended]);
    await this.unfinished.finish([...ended]);
    const due = listIds(states.filter((state) => state.due));
    return payments.filter(({ paymentId }) => !due.has(paymentId) && !ended.has(paymentId));
  }

  /**
   * Returns the payments with held funds and those that may still be covered; the others are refused or had
   * already ended.
   */
  private async hold(
    payments: readonly DuePayment[],
  ): Promise<{ readonly held: readonly DuePayment[]; readonly deferred: readonly string[] }> {
    if (payments.length === 0) return { held: [], deferred: [] };
    await this.unfinished.begin(payments);
    failpoint('settlement.after-begin');
    const byId = new Map(payments.map((payment) => [payment.paymentId, payment]));
    const refOfResult = ({ paymentId }: { readonly paymentId: string }): TransactionRef =>
      toRef(byId.get(paymentId) ?? { paymentId });
    const held = new Set<string>();
    const refused: Refused[] = [];
    let orders = ordersFor(payments);
    while (orders.length > 0) {
      const { results } = await this.callClient.call(placeHolds, { orders });
      failpoint('settlement.after-hold');
      const recorded = await this.record(
        results
          .filter((result) => result.held)
          .map(({ held: _held, ...hold }) => ({
            ...hold,
            ...refOfResult(hold),
            step: 'settlement-started',
          })),
      );
      failpoint('settlement.after-started');
      const overtaken = listIds(recorded.filter((one) => !one.recorded));
      mustHaveEnded(recorded.filter((one) => !one.recorded));
      await this.release([...overtaken]);
      for (const one of recorded) if (one.recorded) held.add(one.paymentId);
      const again = ordersWithNewRoom(orders, overtaken);
      const short = results.flatMap((result) => (result.held ? [] : [asRefused(result)]));
      refused.push(
        ...short.filter((one) => one.reason !== 'insufficient-funds' || !again.has(one.paymentId)),
      );
      const tryAgain = listIds(short.filter((one) => !refused.includes(one)));
      orders = orders.filter(({ paymentId }) => tryAgain.has(paymentId));
    }
    const coverable = listIds(payments.filter((payment) => this.mayBeCovered(payment)));
    const isDeferred = ({ paymentId, reason }: Refused): boolean =>
      reason === 'insufficient-funds' && coverable.has(paymentId);
    const final = refused.filter((one) => !isDeferred(one));
    await this.recordRefusals(final.map((one) => ({ ...refOfResult(one), reason: one.reason })));
    const deferred = [...listIds(refused.filter(isDeferred))];
    return { held: payments.filter(({ paymentId }) => held.has(paymentId)), deferred };
  }

  private async post(payments: readonly DuePayment[]): Promise<void> {
    if (payments.length === 0) return;
    const paymentIds = [...listIds(payments)];
    const { results } = await this.callClient.call(postHolds, { paymentIds });
    failpoint('settlement.after-post');
    const byId = new Map(results.map((result) => [result.paymentId, result]));
    const records = payments.map((payment) => {
      const result = byId.get(payment.paymentId);
      if (result?.posted !== true || result.postingId === undefined)
        throw new OutOfStep('settlement has started, but there is no hold to post');
      return { ...toRef(payment), step: 'settled' as const, postingId: result.postingId };
    });
    mustBeRecorded(await this.record(records));
    failpoint('settlement.after-settled');
  }

  private async release(paymentIds: readonly string[]): Promise<void> {
    if (paymentIds.length > 0) await this.callClient.call(voidHolds, { paymentIds });
  }

  /** A refusal is final, so it is recorded only if this worker still held the lock when it was decided. */
  private async recordRefusals(refused: readonly (TransactionRef & Refused)[]): Promise<void> {
    if (refused.length === 0) return;
    await this.lock.confirm();
    const records = refused.map((one) => ({ ...one, step: 'funds-refused' as const }));
    mustHaveEnded((await this.record(records)).filter((one) => !one.recorded));
  }

  private async record(records: readonly SettlementRecord[]): Promise<readonly SettlementRecorded[]> {
    if (records.length === 0) return [];
    return (await this.callClient.call(recordSettlement, { records })).results;
  }
}

/** @throws OutOfStep if the bank applied the limit for instant payments to another payment. */
const asRefused = ({
  paymentId,
  reason,
}: {
  readonly paymentId: string;
  readonly reason: HoldRefusalReason;
}): Refused => {
  if (reason === 'limit-exceeded') throw new OutOfStep('the bank refused a payment that has no limit');
  return { paymentId, reason };
};

const ordersFor = (payments: readonly DuePayment[]): readonly HoldOrder[] =>
  payments.map(({ paymentId, order, batchId }) =>
    batchId === undefined ? { paymentId, order } : { paymentId, order, batchId },
  );

const toRef = ({ paymentId, partOf }: TransactionRef): TransactionRef =>
  partOf === undefined ? { paymentId } : { paymentId, partOf };

const listIds = (payments: readonly { readonly paymentId: string }[]): Set<string> =>
  new Set(payments.map(({ paymentId }) => paymentId));

/**
 * Returns the orders whose debtor account regained money from a released hold: they lacked funds, and may be
 * covered now.
 */
const ordersWithNewRoom = (orders: readonly HoldOrder[], released: ReadonlySet<string>): Set<string> => {
  const accounts = new Set(
    orders.filter(({ paymentId }) => released.has(paymentId)).map(({ order }) => order.debtorIban),
  );
  return listIds(orders.filter(({ order }) => accounts.has(order.debtorIban)));
};

const mustBeRecorded = (results: readonly SettlementRecorded[]): void => {
  if (results.some(({ recorded }) => !recorded))
    throw new OutOfStep('the money moved, but the payment does not show it');
};

/** The stream may refuse a step only if the payment has ended. */
const mustHaveEnded = (results: readonly SettlementRecorded[]): void => {
  if (results.some(({ ended }) => !ended)) {
    throw new OutOfStep('the payment refuses a step although it has not ended');
  }
};
