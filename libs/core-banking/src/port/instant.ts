import type { InstantAnswer } from '@xs2a/domain/payment/instant/instant-answer';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import type { BankCall } from './bank-call.js';

/** A bank's instant payments (SEPA Instant Credit Transfer). */
export interface InstantPort {
  /**
   * Sends an order, whose amount is held, to the payee's bank and waits for the outcome; `deadline` is an ISO instant
   * of real time. The first outcome of a payment id never changes and is returned again, however late. An order that
   * is first heard of after its deadline is not sent, and is rejected with AB11. The hold is then posted or voided by
   * the caller. The outcome of a payee with an account at this bank is known at once. Throws BankFault if there is no
   * outcome yet.
   */
  sendInstant(
    paymentId: string,
    order: PaymentOrder,
    deadline: string,
    call: BankCall,
  ): Promise<InstantAnswer>;
}
