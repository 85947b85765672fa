import type { HoldOrder, HoldResult } from '@xs2a/contracts/accounts.contract';
import type { BankCall } from './bank-call.js';

export interface PostResult {
  readonly paymentId: string;
  /** False if the payment has no hold or its hold was voided. */
  readonly posted: boolean;
  readonly postingId?: string;
}

/**
 * Two-phase booking of several payments at once. A payment id is the booking id: a payment's own id, or one
 * derived from an order's id and the number of its occurrence or entry. Idempotency keys are derived from it
 * (booking-keys.ts), so a repeated call changes nothing and returns the first result, and the caller may repeat
 * any call after a crash.
 */
export interface BookingPort {
  /**
   * Holds funds in the given order: each payment is held if it is covered by the balance that remains after the
   * earlier payments from its account. Each is held, posted and voided separately. If the bank supports batch
   * booking, payments with the same `batchId` and account share one entry in the debtor's history, whose amount is
   * the sum held and posted so far.
   */
  placeHolds(orders: readonly HoldOrder[], call: BankCall): Promise<readonly HoldResult[]>;
  /** Posts held funds, which is final. */
  postHolds(paymentIds: readonly string[], call: BankCall): Promise<readonly PostResult[]>;
  /** Releases held funds; a posted hold stays posted. */
  voidHolds(paymentIds: readonly string[], call: BankCall): Promise<void>;
}
