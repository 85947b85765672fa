import { Controller, Module } from '@nestjs/common';
import { listPsuAccounts, type PsuAccount, readCorporate } from '@xs2a/contracts/accounts.contract';
import { Handles } from '@xs2a/messaging/handles';

/** Who has which accounts; the tests fill it. */
export const accountsOfPsu = new Map<string, readonly PsuAccount[]>();
/** Signatures that each corporate needs. */
export const corporates = new Map<string, number>();

/** An account as the bank lists it; its id in the API follows from the IBAN. */
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

/** The two calls of the accounts service that consents make. */
@Controller()
class AccountsDouble {
  @Handles(listPsuAccounts)
  accountsOf({ psuId }: { psuId: string }): { accounts: readonly PsuAccount[] } {
    return { accounts: accountsOfPsu.get(psuId) ?? [] };
  }

  @Handles(readCorporate)
  corporate({ corporateId }: { corporateId: string }): { known: boolean; signaturesRequired?: number } {
    const signaturesRequired = corporates.get(corporateId);
    return { known: signaturesRequired !== undefined, signaturesRequired };
  }
}

@Module({ controllers: [AccountsDouble] })
export class AccountsDoubleModule {}
