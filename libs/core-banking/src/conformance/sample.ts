import type { BankCall } from '../port/bank-call.js';
import type { CoreBank } from '../port/core-bank.js';

/** People and accounts of a test system that the checks may use; they move small amounts. */
export interface BankSample {
  readonly psuId: string;
  readonly password: string;
  /**
   * The PSU's main account: an open current account that needs one signature and holds at least 10 units of its
   * currency.
   */
  readonly iban: string;
  readonly currency: string;
  /** An account of somebody else at this bank. */
  readonly foreignIban: string;
  /** An account at another bank, to which the checks pay. */
  readonly elsewhere: string;
  /** A corporate customer, where the bank has some. */
  readonly corporateId?: string;
}

/** The bank and the sample data that a check works with. */
export interface Trial {
  readonly bank: CoreBank;
  readonly sample: BankSample;
  /** Makes a new call, which the bank has some seconds to answer. */
  call(): BankCall;
  /** Makes a new payment id. */
  newPaymentId(): string;
}

/** One promise of the port. `run` throws an AssertionError that says what was seen instead. */
export interface BankCheck {
  readonly title: string;
  run(trial: Trial): Promise<void>;
}

export const readSample = (value: unknown): BankSample => {
  const names = ['psuId', 'password', 'iban', 'currency', 'foreignIban', 'elsewhere'] as const;
  const given = (typeof value === 'object' && value !== null ? value : {}) as Readonly<
    Record<string, unknown>
  >;
  const missing = names.filter((name) => typeof given[name] !== 'string' || given[name] === '');
  if (missing.length > 0) throw new Error(`the sample lacks ${missing.join(', ')}`);
  return given as unknown as BankSample;
};
