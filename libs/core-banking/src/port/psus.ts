import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { BankCall } from './bank-call.js';

/** A bank's customer queries. */
export interface PsusPort {
  /** Verifies a password. An unknown PSU and a wrong password differ neither in result nor in duration. */
  authenticate(
    psuId: string,
    password: string,
    call: BankCall,
  ): Promise<{ readonly psuId: string; readonly name: string } | undefined>;
  /** Returns the PSU's own accounts, then those of the corporates for which the PSU signs; main accounts come first. */
  listAccounts(psuId: string, call: BankCall): Promise<readonly PsuAccount[]>;
  corporate(
    corporateId: string,
    call: BankCall,
  ): Promise<{ readonly signaturesRequired: number } | undefined>;
}
