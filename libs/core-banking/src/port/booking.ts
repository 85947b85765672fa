import type { HoldOrder, HoldResult } from '@xs2a/contracts/accounts.contract';
import type { BankCall } from './bank-call.js';

export interface PostResult {
  readonly paymentId: string;
  /** False when there is no hold of that payment, or it was voided. */
  readonly posted: boolean;
  readonly postingId?: string;
}

/**
 * Two-phase booking of several payments at a time. A payment's id here is the id under which it is booked: its own, or
 * one that follows from an order's id and the number of its occurrence or entry. Idempotency keys follow from it (booking-keys.ts), so that a
 * repeat of any call does nothing and is answered as the first time: the caller may repeat after a crash as often as it likes.
 */
export interface BookingPort {
  /**
   * Sets money aside, in the order given: of several payments from one account those that the balance still covers. Each is held,
   * posted and voided by itself; those of one `batchId` and account are one entry in the debtor's history, if the bank books
   * batches: its amount is what is held and posted of them so far.
   */
  placeHolds(orders: readonly HoldOrder[], call: BankCall): Promise<readonly HoldResult[]>;
  /** Moves held money for good. */
  postHolds(paymentIds: readonly string[], call: BankCall): Promise<readonly PostResult[]>;
  /** Gives held money back; a posted hold stays posted. */
  voidHolds(paymentIds: readonly string[], call: BankCall): Promise<void>;
}
