import { isIsoDate } from '@xs2a/domain/time/bank-calendar';
import type { BankCall } from '../port/bank-call.js';
import type { CoreBank } from '../port/core-bank.js';

/** People and accounts in a test system that the checks may use. The checks move small amounts between them. */
export interface BankSample {
  readonly psuId: string;
  readonly password: string;
  /**
   * The PSU's main account: an open current account that requires one signature and has a balance of at least 10
   * units of its currency.
   */
  readonly iban: string;
  readonly currency: string;
  /** The day on which the accounts were converted from leva into euro (ISO date); absent if they were not. */
  readonly levEnd?: string;
  /** Another person's account at this bank. */
  readonly foreignIban: string;
  /** An account at another bank that receives the payments made by the checks. */
  readonly elsewhere: string;
  /** The name of the holder of `iban`. Without it the bank does not verify payees, and the checks of that are skipped. */
  readonly holderName?: string;
  /** A corporate customer, if the bank has any. */
  readonly corporateId?: string;
  /** Present if the bank offers instant payments. Those to `elsewhere` must be settled. */
  readonly instant?: {
    /** The PSU's own limit for instant payments from the account, in minor units, which its balance covers. */
    readonly limit?: number;
    /** An account at a bank that does not answer. */
    readonly silentPayee?: string;
  };
}

/** The bank and the sample data used by a check. */
export interface Trial {
  readonly bank: CoreBank;
  readonly sample: BankSample;
  /** Creates the context of a new call, with a deadline a few seconds from now. */
  call(): BankCall;
  /** Generates a new payment id. */
  newPaymentId(): string;
}

/**
 * One guarantee that a core bank must give. If the bank breaks it, `run` throws an AssertionError that describes
 * the actual behaviour.
 */
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
  const { levEnd } = given;
  if (levEnd !== undefined && (typeof levEnd !== 'string' || !isIsoDate(levEnd)))
    throw new Error('levEnd must be an ISO date');
  return given as unknown as BankSample;
};
