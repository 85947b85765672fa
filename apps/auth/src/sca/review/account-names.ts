import type { CallClient } from '@xs2a/calls/client';
import { nameAccounts } from '@xs2a/contracts/accounts.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { PageState } from '../page-sessions.js';
import type { AccountNames, AuthorisationRequest } from '../requests/authorisation-request.js';

export const noNames: AccountNames = new Map();

/**
 * Returns the names of the accounts that a page shows. The code page does not repeat the account to debit. A page
 * without the names shows IBANs.
 */
export const findAccountNames = async (
  callClient: Pick<CallClient, 'call'>,
  { namedAccounts }: Pick<AuthorisationRequest, 'namedAccounts'>,
  { step, psuId = '' }: Pick<PageState, 'step' | 'psuId'>,
): Promise<AccountNames> => {
  if (namedAccounts === undefined || (step === 'code' && namedAccounts !== 'all')) return noNames;
  const request =
    namedAccounts === 'all' ? { psuId } : ({ psuId, iban: namedAccounts.iban, withBalance: true } as const);
  try {
    const { accounts } = await callClient.call(nameAccounts, request);
    return new Map(accounts.map((account) => [account.iban, account]));
  } catch (error) {
    if (error instanceof CallFailed) return noNames;
    throw error;
  }
};
