import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { BankCall } from './bank-call.js';

/** What a bank tells of its customers. */
export interface PsusPort {
  /** Constant time: an unknown PSU and a wrong password are told apart neither by answer nor by duration. */
  authenticate(
    psuId: string,
    password: string,
    call: BankCall,
  ): Promise<{ readonly psuId: string; readonly name: string } | undefined>;
  /** The PSU's own accounts, then those of the corporates the PSU signs for; main accounts first. */
  accountsOf(psuId: string, call: BankCall): Promise<readonly PsuAccount[]>;
  corporate(
    corporateId: string,
    call: BankCall,
  ): Promise<{ readonly signaturesRequired: number } | undefined>;
}
