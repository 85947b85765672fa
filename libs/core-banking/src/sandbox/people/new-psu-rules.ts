import { type Failure, fail, type FailureName } from '@xs2a/domain/failure/failures';
import { isJsonObject, type JsonObject, memberOf, unknownMembers } from '@xs2a/domain/form/form-checks';
import { currencyOf } from '@xs2a/domain/money/currencies';
import { isMaxText } from '@xs2a/domain/text/text';
import { sandboxAmount } from '../ledger/sandbox-amount.js';

/** An account asked for; amounts in minor units. */
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

const maxAccounts = 10;
const maxSignatures = 10;

/** Product names by ISO 20022 cash account type: current and savings accounts can be opened. */
export const productNames: Readonly<Record<string, string>> = {
  CACC: 'Разплащателна сметка',
  SVGS: 'Спестовна сметка',
};

/**
 * Checks `POST /sandbox/psus` (contract 13) and answers every violation in field order. Accounts may be left out by a
 * PSU who joins a corporate, whose accounts are there already or never: `needsAccounts` tells.
 */
export const wishedPsu = (
  input: unknown,
  needsAccounts: boolean,
): { wish: WishedPsu } | { failures: Failure[] } => {
  if (!isJsonObject(input)) return { failures: [fail('bodyNotJson')] };
  const failures: Failure[] = [];
  const wrong = (path: string, text: string, failure: FailureName = 'fieldMalformed'): void =>
    void failures.push(fail(failure, path, text));

  const name = memberOf(input, 'name');
  if (name !== undefined && !isMaxText(name, 70)) wrong('name', 'Send a name of 1 to 70 characters.');
  const accounts = wishedAccounts(input, needsAccounts, failures);
  const corporateId = memberOf(input, 'corporateId');
  if (corporateId !== undefined && !isCorporateId(corporateId)) {
    wrong('corporateId', 'Send 1 to 35 letters, digits, dots, hyphens or underscores.');
  }
  const signatures = memberOf(input, 'signaturesRequired');
  if (signatures !== undefined && !isSignatures(signatures)) {
    wrong('signaturesRequired', `Send a whole number from 1 to ${maxSignatures}.`);
  } else if (corporateId === undefined && signatures !== undefined && signatures !== 1) {
    wrong(
      'signaturesRequired',
      'Only the accounts of a corporate can need several signatures. Send a corporateId.',
    );
  }
  failures.push(...unknownMembers(input, ['name', 'accounts', 'corporateId', 'signaturesRequired'], ''));
  if (failures.length > 0) return { failures };
  return {
    wish: {
      accounts,
      ...(typeof name === 'string' ? { name } : {}),
      ...(isCorporateId(corporateId) ? { corporateId } : {}),
      ...(isSignatures(signatures) ? { signaturesRequired: signatures } : {}),
    },
  };
};

export const isCorporateId = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9._-]{1,35}$/.test(value);
const isSignatures = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxSignatures;

const wishedAccounts = (input: JsonObject, needed: boolean, failures: Failure[]): WishedAccount[] => {
  const accounts = memberOf(input, 'accounts');
  if (accounts === undefined) {
    if (needed) failures.push(fail('fieldMissing', 'accounts'));
    return [];
  }
  if (!Array.isArray(accounts) || accounts.length > maxAccounts || (needed && accounts.length === 0)) {
    failures.push(fail('fieldMalformed', 'accounts', `Send a list of 1 to ${maxAccounts} accounts.`));
    return [];
  }
  return accounts.map((account: unknown, index) => wishedAccount(account, `accounts[${index}]`, failures));
};

const wishedAccount = (account: unknown, path: string, failures: Failure[]): WishedAccount => {
  const wish = { currency: '', type: 'CACC', opening: 0, creditLimit: 0 };
  if (!isJsonObject(account)) {
    failures.push(fail('fieldMalformed', path, 'Send an object with currency and opening.'));
    return wish;
  }
  const currency = memberOf(account, 'currency');
  if (typeof currency === 'string' && currencyOf(currency) !== undefined) wish.currency = currency;
  else if (currency === undefined) failures.push(fail('fieldMissing', `${path}.currency`));
  else failures.push(fail('fieldMalformed', `${path}.currency`, 'Send a currency that the bank offers.'));
  const amount = (name: 'opening' | 'creditLimit', value: unknown): void => {
    const minor = sandboxAmount(value, wish.currency === '' ? 'EUR' : wish.currency, true);
    if (typeof minor === 'number') wish[name] = minor;
    else failures.push(fail('fieldMalformed', `${path}.${name}`, minor));
  };
  const opening = memberOf(account, 'opening');
  if (opening === undefined) failures.push(fail('fieldMissing', `${path}.opening`));
  else amount('opening', opening);
  const creditLimit = memberOf(account, 'creditLimit');
  if (creditLimit !== undefined) amount('creditLimit', creditLimit);
  const type = memberOf(account, 'type');
  if (typeof type === 'string' && Object.hasOwn(productNames, type)) wish.type = type;
  else if (type !== undefined) failures.push(fail('fieldMalformed', `${path}.type`, 'Send CACC or SVGS.'));
  failures.push(...unknownMembers(account, ['currency', 'opening', 'creditLimit', 'type'], path));
  return wish;
};
