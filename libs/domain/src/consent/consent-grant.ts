import {
  accessTypes,
  type AccessType,
  type AccountAccess,
  type GrantedAccount,
  listIbans,
} from './consent-events.js';
import type { Profile } from '../profile/profile.js';

/** One of the PSU's accounts, as the bank returns it. */
export interface PsuAccountRef {
  readonly iban: string;
  readonly resourceId: string;
  readonly currency: string;
  /** Present only if the account belongs to a corporate. */
  readonly corporateId?: string;
  /** The number of signatures that the account requires. */
  readonly signaturesRequired: number;
}

const accessTo = (iban: string, access: AccountAccess): readonly AccessType[] =>
  accessTypes.filter((type) => access[type]?.some((reference) => reference.iban === iban));

/** The currencies given for an IBAN in the account references. */
const namedCurrencies = (iban: string, access: AccountAccess): readonly string[] =>
  accessTypes.flatMap((type) =>
    (access[type] ?? []).flatMap((reference) =>
      reference.iban === iban && reference.currency !== undefined ? [reference.currency] : [],
    ),
  );

/**
 * Grants the requested access, account by account. Undefined if an IBAN is not among the PSU's accounts, or is
 * requested with a currency other than the account's.
 */
export function grantAsAsked(
  access: AccountAccess,
  psuAccounts: readonly PsuAccountRef[],
): readonly GrantedAccount[] | undefined {
  const ibans = listIbans(access);
  const granted = ibans.flatMap((iban) => {
    const account = psuAccounts.find((candidate) => candidate.iban === iban);
    if (account === undefined) return [];
    if (namedCurrencies(iban, access).some((currency) => currency !== account.currency)) return [];
    return [
      { iban, resourceId: account.resourceId, currency: account.currency, access: accessTo(iban, access) },
    ];
  });
  return granted.length === ibans.length ? granted : undefined;
}

/**
 * Grants all three access types to the accounts that the PSU picked. Undefined if the PSU picked no account or
 * another person's account.
 */
export function grantAsChosen(
  chosenIbans: readonly string[],
  psuAccounts: readonly PsuAccountRef[],
): readonly GrantedAccount[] | undefined {
  if (chosenIbans.length === 0) return undefined;
  const references = chosenIbans.map((iban) => ({ iban }));
  const access = Object.fromEntries(accessTypes.map((type) => [type, references]));
  return grantAsAsked(access, psuAccounts);
}

/**
 * The currency of a granted account now. An account in leva is in euro since the switch-over of the bank, while its
 * consent stays as it was granted (contract E5.1, E6.3).
 */
export const currencyNow = (
  { currency }: Pick<GrantedAccount, 'currency'>,
  { levEnd }: Pick<Profile, 'levEnd'>,
): string => (currency === 'BGN' && levEnd !== undefined ? 'EUR' : currency);
