import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { isJsonObject } from '@xs2a/domain/form/form-checks';
import { readDto } from '@xs2a/runtime/read-dto';
import { sandboxAmount } from '../ledger/sandbox-amount.js';
import { NewAccountDto } from './new-account.dto.js';
import { accountsHint, isAccountList, NewPsuDto } from './new-psu.dto.js';

/** A requested account, with amounts in minor units. */
export interface WishedAccount {
  readonly currency: string;
  readonly type: string;
  readonly opening: number;
  readonly creditLimit: number;
}
export interface WishedPsu {
  readonly name?: string;
  readonly corporateId?: string;
  readonly signaturesRequired?: number;
  readonly accounts: readonly WishedAccount[];
}

/**
 * Validates `POST /sandbox/psus` (contract 13) and returns every violation in field order. A PSU who joins an
 * existing corporate may omit the accounts, because the corporate already has them; `needsAccounts` returns true
 * if accounts are required.
 */
export const wishedPsu = (
  input: unknown,
  needsAccounts: boolean,
): { wish: WishedPsu } | { failures: readonly Failure[] } => {
  const accounts: WishedAccount[] = [];
  const read = readDto(NewPsuDto, input, {
    rules: ({ accounts: wished, corporateId, signaturesRequired }) => [
      ...missingAccounts(wished, needsAccounts),
      ...(isAccountList(wished) ? wishedAccounts(wished, accounts) : []),
      ...needlessSignatures(corporateId, signaturesRequired),
    ],
  });
  if ('failures' in read) return read;
  const { name, corporateId, signaturesRequired } = read.dto;
  return {
    wish: {
      accounts,
      name,
      corporateId,
      signaturesRequired,
    },
  };
};

const missingAccounts = (accounts: unknown, needed: boolean): Failure[] => {
  if (!needed) return [];
  if (accounts === undefined) return [fail('fieldMissing', 'accounts')];
  const isEmpty = Array.isArray(accounts) && accounts.length === 0;
  return isEmpty ? [fail('fieldMalformed', 'accounts', accountsHint.message)] : [];
};

const needlessSignatures = (corporateId: unknown, signaturesRequired: unknown): Failure[] =>
  corporateId === undefined && signaturesRequired !== undefined && signaturesRequired !== 1
    ? [
        fail(
          'fieldMalformed',
          'signaturesRequired',
          'Only the accounts of a corporate can need several signatures. Send a corporateId.',
        ),
      ]
    : [];

/** Adds each valid account to `taken`, and returns the violations of the others. */
const wishedAccounts = (wished: readonly unknown[], taken: WishedAccount[]): Failure[] =>
  wished.flatMap((account, index): readonly Failure[] => {
    const path = `accounts[${index}]`;
    if (!isJsonObject(account))
      return [fail('fieldMalformed', path, 'Send an object with currency and opening.')];
    const read = readDto(NewAccountDto, account, { path });
    if ('failures' in read) return read.failures;
    const { currency, opening, creditLimit = '0', type = 'CACC' } = read.dto;
    const minor = (amount: string): number => Number(sandboxAmount(amount, currency, true));
    taken.push({ currency, type, opening: minor(opening), creditLimit: minor(creditLimit) });
    return [];
  });
