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

/** The number of signers that a consent requires, and the corporate for which they sign. */
export interface Signers {
  readonly signaturesRequired: number;
  /** Present if all accounts of the consent belong to a single corporate. */
  readonly corporateId?: string;
}

/** Asks the bank for data about the accounts and corporates named in consents. */
@Injectable()
export class BankAccounts {
  constructor(
    private readonly callClient: CallClient,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Returns the PSU's accounts that are not closed, each with the number of signatures that it requires. */
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

  /** Returns the corporates for which the PSU may sign. */
  async listCorporates(psuId: string): Promise<readonly string[]> {
    const { accounts } = await this.callClient.call(listPsuAccounts, { psuId });
    return [...new Set(accounts.flatMap(({ corporateId }) => corporateId ?? []))];
  }

  /**
   * Returns the signers that a consent requires if its request names this corporate (contract 10). Throws
   * CallFailed (corporateIdUnknown).
   */
  async signersOfCorporate(corporateId: string): Promise<Signers> {
    const signaturesRequired = await this.corporate(corporateId);
    if (signaturesRequired === undefined) throw callFailed('corporateIdUnknown');
    return this.asOffered({ signaturesRequired, corporateId });
  }

  /** Returns the signers that a consent to these accounts requires if its request names no corporate (contract 10). */
  async signersOfAccounts(access: AccountAccess): Promise<Signers> {
    const known = await Promise.all(
      listIbans(access).map(async (iban) => (await this.callClient.call(readAccountFacts, { iban })).account),
    );
    const signaturesRequired = Math.max(1, ...known.map((account) => account?.signaturesRequired ?? 1));
    const corporateId = signaturesRequired > 1 ? onlyCorporate(known) : undefined;
    return this.asOffered({ signaturesRequired, corporateId });
  }

  /**
   * Without multilevel SCA there is always one signer, who cannot authorise access to an account that requires
   * multiple signatures (contract 9).
   */
  private asOffered(signers: Signers): Signers {
    return this.profile.offers.includes('multilevel-sca') ? signers : { ...signers, signaturesRequired: 1 };
  }

  private async corporate(corporateId: string): Promise<number | undefined> {
    const { known, signaturesRequired = 1 } = await this.callClient.call(readCorporate, { corporateId });
    return known ? signaturesRequired : undefined;
  }
}

/** Returns the corporate that owns all of the accounts; undefined if no single corporate does. */
const onlyCorporate = (accounts: readonly (AccountFacts | undefined)[]): string | undefined => {
  const [first] = accounts;
  return accounts.every((account) => account?.corporateId === first?.corporateId)
    ? first?.corporateId
    : undefined;
};
