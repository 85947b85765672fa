import type { HoldOrder } from '@xs2a/contracts/accounts.contract';
import type { FundsRefusalReason } from '@xs2a/domain/payment/payment-events';
import type { PaymentStatus } from '@xs2a/domain/payment/payment-state';
import { OutOfStep } from './retry.js';

/** Where a payment stands before its settlement is tried, perhaps not for the first time. */
export interface Standing {
  readonly paymentId: string;
  readonly transactionStatus: PaymentStatus;
  readonly fundsAvailable?: boolean;
  readonly bookAt?: string;
}
export interface Refused {
  readonly paymentId: string;
  readonly reason: FundsRefusalReason;
}
interface Begun {
  readonly paymentId: string;
  readonly bookAt: string;
}

export interface Triage {
  /** Cancelled, rejected or unfunded: a hold that a crash left behind has to go. */
  readonly ended: readonly string[];
  /** ACSP: the hold is there and has to be posted. */
  readonly started: readonly Begun[];
  /** ACSC: nothing is left to do. */
  readonly settled: readonly Begun[];
  readonly open: readonly HoldOrder[];
}

/** Sorts due payments by what is left to do. Throws {@link OutOfStep} for one that the payments service does not know. */
export const triage = (orders: readonly HoldOrder[], standings: readonly Standing[]): Triage => {
  const byId = new Map(standings.map((standing) => [standing.paymentId, standing]));
  const ended: string[] = [];
  const started: Begun[] = [];
  const settled: Begun[] = [];
  const open: HoldOrder[] = [];
  for (const order of orders) {
    const { paymentId } = order;
    const standing = byId.get(paymentId);
    switch (standing?.transactionStatus) {
      case 'CANC':
      case 'RJCT':
        ended.push(paymentId);
        break;
      case 'ACCP':
        if (standing.fundsAvailable === false) ended.push(paymentId);
        else open.push(order);
        break;
      case 'ACSP':
        started.push(begunOf(standing));
        break;
      case 'ACSC':
        settled.push(begunOf(standing));
        break;
      default:
        throw new OutOfStep('a payment is due that is not known as signed');
    }
  }
  return { ended, started, settled, open };
};

const begunOf = ({ paymentId, bookAt }: Standing): Begun => {
  if (bookAt === undefined) throw new OutOfStep('settlement has started without a time of booking');
  return { paymentId, bookAt };
};

/** Refused for want of funds: the one refusal that an earlier payment's end can change. */
export const isShort = ({ reason }: Pick<Refused, 'reason'>): boolean => reason === 'insufficient-funds';

/**
 * Which payments that found no funds have to be tried again in this batch: an earlier one paid into their account, or
 * held its money and was then released since it had been cancelled. One by one they would have been covered.
 */
export const roomMadeFor = (
  refused: readonly Refused[],
  orders: readonly HoldOrder[],
  { paid, released }: { readonly paid: ReadonlySet<string>; readonly released: ReadonlySet<string> },
): Set<string> => {
  const wanting = new Set(refused.filter(isShort).map(({ paymentId }) => paymentId));
  const filled = new Set<string>();
  const again = new Set<string>();
  for (const { paymentId, order } of orders) {
    if (paid.has(paymentId)) filled.add(order.creditorAccount);
    if (released.has(paymentId)) filled.add(order.debtorIban);
    if (wanting.has(paymentId) && filled.has(order.debtorIban)) {
      again.add(paymentId);
      filled.add(order.creditorAccount);
    }
  }
  return again;
};
