import { Controller, Module } from '@nestjs/common';
import {
  listPsuAccounts,
  type PsuAccount,
  readAccountFacts,
  readCorporate,
} from '@xs2a/contracts/accounts.contract';
import type { AccountFacts } from '@xs2a/domain/account/debtor-account';
import { Handles } from '@xs2a/calls/handles';

/** The accounts of each PSU, as set by the tests. */
export const accountsOfPsu = new Map<string, readonly PsuAccount[]>();
/** The number of signatures that each corporate requires. */
export const corporates = new Map<string, number>();

/** Returns an account as the bank lists it, with an API id derived from the IBAN. */
export const account = (iban: string, more: Partial<PsuAccount> = {}): PsuAccount => ({
  iban,
  resourceId: `resource-${iban}`,
  currency: 'BGN',
  product: 'Current account',
  type: 'CACC',
  status: 'enabled',
  main: false,
  ...more,
});

/** The corporate that owns each account, by IBAN. */
export const accountsOfCorporate = new Map<string, string>();

/** A fake of the accounts service, with the calls that the consents service makes. */
@Controller()
class AccountsDouble {
  @Handles(listPsuAccounts)
  listAccounts({ psuId }: { psuId: string }): { accounts: readonly PsuAccount[] } {
    return { accounts: accountsOfPsu.get(psuId) ?? [] };
  }

  @Handles(readAccountFacts)
  facts({ iban }: { iban: string }): { account: AccountFacts; ownedByPsu: boolean } {
    const corporateId = accountsOfCorporate.get(iban);
    const signaturesRequired = corporates.get(corporateId ?? '') ?? 1;
    const account = {
      iban,
      currency: 'BGN',
      type: 'CACC',
      status: 'enabled',
      internetBanking: true,
    } as const;
    return { account: { ...account, signaturesRequired, corporateId }, ownedByPsu: false };
  }

  @Handles(readCorporate)
  corporate({ corporateId }: { corporateId: string }): { known: boolean; signaturesRequired?: number } {
    const signaturesRequired = corporates.get(corporateId);
    return { known: signaturesRequired !== undefined, signaturesRequired };
  }
}

@Module({ controllers: [AccountsDouble] })
export class AccountsDoubleModule {}
