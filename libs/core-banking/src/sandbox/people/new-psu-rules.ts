import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { isJsonObject } from '@xs2a/domain/form/form-checks';
import { readDto, type Sent } from '@xs2a/runtime/read-dto';
import { sandboxAmount } from '../ledger/sandbox-amount.js';
import { corporateMembers, EuroAccountDto, EuroPsuDto } from './euro-psu.dto.js';
import { NewAccountDto } from './new-account.dto.js';
import { accountsHint, isAccountList, NewPsuDto } from './new-psu.dto.js';
import type { CorporateFacts } from './people.js';

/** A requested account, with amounts in minor units. */
export interface WishedAccount {
  readonly currency: string;
  readonly type: string;
  readonly opening: number;
  readonly creditLimit: number;
  readonly instantLimit?: number;
  readonly holders?: readonly string[];
}
export interface WishedPsu {
  readonly name?: string;
  readonly corporateId?: string;
  readonly signaturesRequired?: number;
  readonly accounts: readonly WishedAccount[];
  /** What a new corporate is called and known by; only at a bank in euro. */
  readonly corporate?: CorporateFacts;
}

/** What a request says about the bank and the corporate, apart from its body. */
export interface PsuContext {
  /** The bank's home currency. Some members exist only at a bank in euro (contract E8.4). */
  readonly homeCurrency: string;
  /** True if the body names no corporate that already exists. */
  readonly needsAccounts: boolean;
}

/**
 * Validates `POST /sandbox/psus` (contract 13) and returns every violation. A PSU who joins an existing corporate
 * may omit the accounts, because the corporate already has them.
 */
export const wishedPsu = (
  input: unknown,
  context: PsuContext,
): { wish: WishedPsu } | { failures: readonly Failure[] } => {
  const isEuro = context.homeCurrency === 'EUR';
  const accounts: WishedAccount[] = [];
  const rules = (sent: Sent<EuroPsuDto>): readonly Failure[] => [
    ...missingAccounts(sent.accounts, context.needsAccounts),
    ...(isAccountList(sent.accounts) ? wishedAccounts(sent.accounts, accounts, isEuro) : []),
    ...needlessSignatures(sent.corporateId, sent.signaturesRequired),
    ...(isEuro ? strayCorporateMembers(sent, context.needsAccounts) : []),
  ];
  const read = readDto<EuroPsuDto>(isEuro ? EuroPsuDto : NewPsuDto, input, { rules });
  if ('failures' in read) return read;
  const { name, corporateId, signaturesRequired } = read.dto;
  const { corporateName, otherNames, eik, payeeVerificationOptOut } = read.dto;
  return {
    wish: {
      accounts,
      name,
      corporateId,
      signaturesRequired,
      ...(isEuro ? { corporate: { name: corporateName, otherNames, eik, payeeVerificationOptOut } } : {}),
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

/** The members that describe a corporate, in a body that does not create one. */
const strayCorporateMembers = (sent: Sent<EuroPsuDto>, isNew: boolean): Failure[] =>
  sent.corporateId !== undefined && isNew
    ? []
    : corporateMembers
        .filter((name) => sent[name] !== undefined)
        .map((name) => fail('fieldMalformed', name, 'Send this only with a new corporateId.'));

/** Adds each valid account to `taken`, and returns the violations of the others. */
const wishedAccounts = (wished: readonly unknown[], taken: WishedAccount[], isEuro: boolean): Failure[] =>
  wished.flatMap((account, index): readonly Failure[] => {
    const path = `accounts[${index}]`;
    if (!isJsonObject(account))
      return [fail('fieldMalformed', path, 'Send an object with currency and opening.')];
    const read = readDto<EuroAccountDto>(isEuro ? EuroAccountDto : NewAccountDto, account, {
      path,
      rules: ({ currency }) => (isEuro && currency === 'BGN' ? [levEnded(`${path}.currency`)] : []),
    });
    if ('failures' in read) return read.failures;
    const { currency, opening, creditLimit = '0', type = 'CACC', instantLimit, holders } = read.dto;
    const minor = (amount: string): number => Number(sandboxAmount(amount, currency, true));
    taken.push({
      currency,
      type,
      opening: minor(opening),
      creditLimit: minor(creditLimit),
      ...(instantLimit === undefined ? {} : { instantLimit: minor(instantLimit) }),
      ...(holders === undefined ? {} : { holders }),
    });
    return [];
  });

const levEnded = (path: string): Failure =>
  fail('fieldMalformed', path, 'The bank has no accounts in BGN any more. Send EUR.');
