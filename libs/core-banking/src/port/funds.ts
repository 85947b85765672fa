import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { BankCall } from './bank-call.js';

export interface FundsQuestion {
  readonly psuId: string;
  readonly iban?: string;
  readonly amount: MinorAmount;
}

/** Why a funds query has no result. */
type FundsRefusal = 'not-an-account-of-the-psu' | 'currency-not-held';
export type FundsAnswer = { readonly fundsAvailable: boolean } | { readonly refused: FundsRefusal };

/** Checks if the expected balance (booked + credit limit − blocked) covers an amount (spec 2.3, contract 7). */
export interface FundsPort {
  /**
   * Without `iban`, the account is the PSU's main account in that currency or, if there is none, the first open
   * one.
   */
  covers(question: FundsQuestion, call: BankCall): Promise<FundsAnswer>;
}
