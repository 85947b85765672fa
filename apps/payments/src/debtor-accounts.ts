import { Injectable } from '@nestjs/common';
import { readAccountFacts, readCorporate } from '@xs2a/contracts/accounts.contract';
import type { AccountFacts, DebtorFacts } from '@xs2a/domain/account/debtor-account';
import { callFailed } from '@xs2a/messaging/call-failed';
import { Requester } from '@xs2a/messaging/requester';

/** How long facts of an account are believed at initiation, real milliseconds. */
const believedMs = 2000;
const maxKept = 10_000;

/** Asks the bank about the accounts from which payments are to be made. */
@Injectable()
export class DebtorAccounts {
  private readonly kept = new Map<
    string,
    { readonly account: Promise<AccountFacts | undefined>; readonly until: number }
  >();

  constructor(private readonly requester: Requester) {}

  /**
   * For the check at initiation: facts up to 2 s old serve, so that a burst of payments from one account asks once.
   * Acceptance by the PSU and the ledger itself check again. Undefined, not kept: no account of this bank.
   */
  async facts(iban: string): Promise<AccountFacts | undefined> {
    const now = performance.now();
    const known = this.kept.get(iban);
    if (known !== undefined && known.until > now) return known.account;
    if (this.kept.size >= maxKept) this.kept.clear();
    const asked = { account: this.ask(iban), until: now + believedMs };
    this.kept.set(iban, asked);
    const forget = (): void => {
      if (this.kept.get(iban) === asked) this.kept.delete(iban);
    };
    try {
      const account = await asked.account;
      if (account === undefined) forget();
      return account;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** As it is now, and whether it is this PSU's. */
  async ofPsu(iban: string, psuId: string): Promise<DebtorFacts> {
    return this.requester.call(readAccountFacts, { iban, psuId });
  }

  /** Throws CallFailed corporateIdUnknown. */
  async mustKnowCorporate(corporateId: string): Promise<void> {
    const { known } = await this.requester.call(readCorporate, { corporateId });
    if (!known) throw callFailed('corporateIdUnknown');
  }

  private async ask(iban: string): Promise<AccountFacts | undefined> {
    return (await this.requester.call(readAccountFacts, { iban })).account;
  }
}
