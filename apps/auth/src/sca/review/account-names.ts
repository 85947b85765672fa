import type { CallClient } from '@xs2a/calls/client';
import { nameAccounts } from '@xs2a/contracts/accounts.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { AuthorisationKind } from '../catalogue/approval-kinds.js';
import type { PageState } from '../page-sessions.js';
import type { AccountNames, AuthorisationRequest } from '../requests/authorisation-request.js';

export const noNames: AccountNames = new Map();

/** The kinds that debit one account; its balance is shown. */
const paying: ReadonlySet<AuthorisationKind> = new Set(['payment', 'order', 'bulk']);

/**
 * Names the accounts on a page: on a review the account to debit, with what it can pay; for an access all accounts of
 * the PSU. The code page of a payment does not repeat the account. A page without the names shows IBANs.
 */
export const findAccountNames = async (
  callClient: Pick<CallClient, 'call'>,
  { kind, debtorIban }: Pick<AuthorisationRequest, 'kind' | 'debtorIban'>,
  { step, psuId = '' }: Pick<PageState, 'step' | 'psuId'>,
): Promise<AccountNames> => {
  const isPaid = paying.has(kind);
  if (isPaid && step === 'code') return noNames;
  try {
    const asked = { psuId, iban: isPaid ? debtorIban : undefined, withBalance: isPaid };
    const { accounts } = await callClient.call(nameAccounts, asked);
    return new Map(accounts.map((account) => [account.iban, account]));
  } catch (error) {
    if (error instanceof CallFailed) return noNames;
    throw error;
  }
};
