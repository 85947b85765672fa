import type { CallClient } from '@xs2a/calls/client';
import { nameAccounts } from '@xs2a/contracts/accounts.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { answeredWithinMs, type PageRequest } from '../page-request.js';
import type { PageState } from '../page-sessions.js';
import type { AccountNames, AuthorisationRequest } from '../requests/authorisation-request.js';

export const noNames: AccountNames = new Map();

/** Milliseconds of a page's time that are left for the page itself once the names have come or not. */
const drawnWithinMs = 200;

/**
 * Returns the names of the accounts that a page shows, and what they can pay where the PSU chooses among them or pays
 * from one. The code page does not repeat the account to debit. A page without the names, for which it waits only as
 * long as it can, shows IBANs.
 */
export const findAccountNames = async (
  callClient: Pick<CallClient, 'call'>,
  { namedAccounts }: Pick<AuthorisationRequest, 'namedAccounts'>,
  { step, psuId = '' }: Pick<PageState, 'step' | 'psuId'>,
  { receivedAt }: Pick<PageRequest, 'receivedAt'>,
): Promise<AccountNames> => {
  if (namedAccounts === undefined || (step === 'code' && namedAccounts !== 'all')) return noNames;
  const leftMs = receivedAt + answeredWithinMs - drawnWithinMs - performance.now();
  if (leftMs <= 0) return noNames;
  const withBalance = step === 'accounts' || namedAccounts !== 'all' ? true : undefined;
  const iban = namedAccounts === 'all' ? undefined : namedAccounts.iban;
  const timeoutMs = Math.min(nameAccounts.timeoutMs, leftMs);
  try {
    const { accounts } = await callClient.call({ ...nameAccounts, timeoutMs }, { psuId, iban, withBalance });
    return new Map(accounts.map((account) => [account.iban, account]));
  } catch (error) {
    if (error instanceof CallFailed) return noNames;
    throw error;
  }
};
