import { Inject, Injectable } from '@nestjs/common';
import {
  listPsuAccounts,
  type PsuAccount,
  readAccountFacts,
  readCorporate,
} from '@xs2a/contracts/accounts.contract';
import { type AccountAccess, listIbans } from '@xs2a/domain/consent/consent-events';
import type { AccountFacts } from '@xs2a/domain/account/debtor-account';
import type { PsuAccountRef } from '@xs2a/domain/consent/consent-grant';
import type { Profile } from '@xs2a/domain/profile/profile';
import { callFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { PROFILE } from '@xs2a/runtime/tokens';

/** The number of persons who have to sign a consent, and the corporate for which they sign. */
export interface Signers {
  readonly signaturesRequired: number;
  /** Present when it is about the accounts of one corporate. */
  readonly corporateId?: string;
}

/** Asks the bank about the accounts and corporates that consents name. */
@Injectable()
export class BankAccounts {
  constructor(
    private readonly callClient: CallClient,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** The PSU's accounts that are not closed, each with the number of signatures it needs. */
  async ofPsu(psuId: string): Promise<readonly (PsuAccount & PsuAccountRef)[]> {
    const { accounts } = await this.callClient.call(listPsuAccounts, { psuId });
    const corporateIds = [...new Set(accounts.flatMap(({ corporateId }) => corporateId ?? []))];
    const required = new Map(
      await Promise.all(
        corporateIds.map(async (id): Promise<[string, number]> => [
          id,
          (await this.corporate(id)) ?? Infinity,
        ]),
      ),
    );
    return accounts
      .filter(({ status }) => status !== 'closed')
      .map((account) => ({ ...account, signaturesRequired: required.get(account.corporateId ?? '') ?? 1 }));
  }

  /** The corporates that the PSU signs for. */
  async listCorporates(psuId: string): Promise<readonly string[]> {
    const { accounts } = await this.callClient.call(listPsuAccounts, { psuId });
    return [...new Set(accounts.flatMap(({ corporateId }) => corporateId ?? []))];
  }

  /**
   * How many have to sign a consent to these accounts, or to what the signers of the corporate named pick (contract 10).
   * Without multilevel SCA only one person, who cannot open an account that needs several (contract 9). Throws CallFailed
   * corporateIdUnknown.
   */
  async readSigners(access: AccountAccess, psuCorporateId: string | undefined): Promise<Signers> {
    const signers = await this.requiredBy(access, psuCorporateId);
    return this.profile.offers.includes('multilevel-sca') ? signers : { ...signers, signaturesRequired: 1 };
  }

  private async requiredBy(access: AccountAccess, psuCorporateId: string | undefined): Promise<Signers> {
    if (psuCorporateId !== undefined) {
      const signaturesRequired = await this.corporate(psuCorporateId);
      if (signaturesRequired === undefined) throw callFailed('corporateIdUnknown');
      return { signaturesRequired, corporateId: psuCorporateId };
    }
    const known = await Promise.all(
      listIbans(access).map(async (iban) => (await this.callClient.call(readAccountFacts, { iban })).account),
    );
    const signaturesRequired = Math.max(1, ...known.map((account) => account?.signaturesRequired ?? 1));
    const corporateId = signaturesRequired > 1 ? onlyCorporate(known) : undefined;
    return { signaturesRequired, corporateId };
  }

  private async corporate(corporateId: string): Promise<number | undefined> {
    const { known, signaturesRequired = 1 } = await this.callClient.call(readCorporate, { corporateId });
    return known ? signaturesRequired : undefined;
  }
}

/** The corporate that all of the accounts belong to; undefined when they are not of one and the same. */
const onlyCorporate = (accounts: readonly (AccountFacts | undefined)[]): string | undefined => {
  const [first] = accounts;
  return accounts.every((account) => account?.corporateId === first?.corporateId)
    ? first?.corporateId
    : undefined;
};
