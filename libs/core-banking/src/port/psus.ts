import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { BankCall } from './bank-call.js';

/** A company that is a customer. */
export interface Corporate {
  readonly signaturesRequired: number;
  /** True if the company has opted out of the verification of payees in bulk payments (contract 15). */
  readonly payeeVerificationOptOut?: boolean;
}

/** A bank's customer queries. */
export interface PsusPort {
  /**
   * Verifies a password. The results for an unknown PSU and for a wrong password are the same and take the same
   * time.
   */
  authenticate(
    psuId: string,
    password: string,
    call: BankCall,
  ): Promise<{ readonly psuId: string; readonly name: string } | undefined>;
  /**
   * Returns the PSU's own accounts, followed by those of the corporates for which the PSU signs; in each group,
   * main accounts come first.
   */
  listAccounts(psuId: string, call: BankCall): Promise<readonly PsuAccount[]>;
  corporate(corporateId: string, call: BankCall): Promise<Corporate | undefined>;
}
