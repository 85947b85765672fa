import type { Failure } from '@xs2a/domain/failure/failures';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';

export type FundsAnswer = { readonly fundsAvailable: boolean } | { readonly refused: Failure };

/** Does the expected balance (booked + credit limit − blocked) cover an amount? Spec 2.3, contract 7. */
export interface FundsPort {
  /**
   * Without `iban`: the PSU's main account in that currency, else the first open one. Refused with resourceUnknown
   * (not an account of the PSU) or fieldMalformed at `instructedAmount.currency` (a currency not held).
   */
  covers(question: {
    readonly psuId: string;
    readonly iban?: string;
    readonly amount: MinorAmount;
  }): Promise<FundsAnswer>;
}
