import {
  accessTypes,
  type AccessType,
  type AccountAccess,
  type GrantedAccount,
  listIbans,
} from './consent-events.js';

/** An account of the PSU as the bank returns it. */
export interface PsuAccountRef {
  readonly iban: string;
  readonly resourceId: string;
  readonly currency: string;
  /** Present when the account belongs to a corporate. */
  readonly corporateId?: string;
  /** The number of persons who must sign for the account. */
  readonly signaturesRequired: number;
}

const accessTo = (iban: string, access: AccountAccess): readonly AccessType[] =>
  accessTypes.filter((type) => access[type]?.some((reference) => reference.iban === iban));

/** The currencies that the account references name for an IBAN. */
const namedCurrencies = (iban: string, access: AccountAccess): readonly string[] =>
  accessTypes.flatMap((type) =>
    (access[type] ?? []).flatMap((reference) =>
      reference.iban === iban && reference.currency !== undefined ? [reference.currency] : [],
    ),
  );

/**
 * The requested access, account by account. Undefined if an IBAN is not among the PSU's accounts or is named with
 * a currency other than the account's.
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
 * All three access types to the accounts that the PSU picked. Undefined if the PSU picked none or an account of
 * someone else.
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
