import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { BankCall } from './bank-call.js';

export interface FundsQuestion {
  readonly psuId: string;
  readonly iban?: string;
  readonly amount: MinorAmount;
}

/** Why a question about funds has no answer. */
type FundsRefusal = 'not-an-account-of-the-psu' | 'currency-not-held';
export type FundsAnswer = { readonly fundsAvailable: boolean } | { readonly refused: FundsRefusal };

/** Does the expected balance (booked + credit limit − blocked) cover an amount? Spec 2.3, contract 7. */
export interface FundsPort {
  /** Without `iban`: the PSU's main account in that currency, else the first open one. */
  covers(question: FundsQuestion, call: BankCall): Promise<FundsAnswer>;
}
