import { Injectable } from '@nestjs/common';
import { readAccountFacts, readCorporate } from '@xs2a/contracts/accounts.contract';
import type { AccountFacts, DebtorFacts } from '@xs2a/domain/account/debtor-account';
import { callFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';

/** Asks the bank for data about debtor accounts. */
@Injectable()
export class DebtorAccounts {
  constructor(private readonly callClient: CallClient) {}

  /**
   * Reads the facts needed for the check at initiation. Undefined if the IBAN is not that of an account of this
   * bank.
   */
  async facts(iban: string): Promise<AccountFacts | undefined> {
    return (await this.callClient.call(readAccountFacts, { iban })).account;
  }

  /** Reads the facts needed for the checks at authorisation: the account, and whether it belongs to this PSU. */
  async ofPsu(iban: string, psuId: string): Promise<DebtorFacts> {
    return this.callClient.call(readAccountFacts, { iban, psuId });
  }

  /** Throws CallFailed (corporateIdUnknown) if the bank does not know the corporate. */
  async mustKnowCorporate(corporateId: string): Promise<void> {
    const { known } = await this.callClient.call(readCorporate, { corporateId });
    if (!known) throw callFailed('corporateIdUnknown');
  }
}
