import { isIban } from '@xs2a/domain/iban/iban';

/**
 * The part of `sandbox-fixtures.json` that belongs to the bank (contract 13). The TPPs in the file belong to the
 * authorization server.
 */
export interface Fixtures {
  readonly bank: { readonly ibanBankCode: string };
  readonly psus: readonly {
    readonly psuId: string;
    readonly password: string;
    readonly name: string;
    readonly accounts?: readonly string[];
    readonly corporateIds?: readonly string[];
  }[];
  readonly corporates: readonly {
    readonly corporateId: string;
    readonly name: string;
    readonly signaturesRequired: number;
    readonly accounts: readonly string[];
  }[];
  readonly accounts: readonly FixtureAccount[];
}

export interface FixtureAccount {
  readonly iban: string;
  readonly currency: string;
  readonly type: string;
  readonly product: string;
  readonly main?: boolean;
  readonly status?: 'enabled' | 'blocked' | 'closed';
  /** Today's balance, after the seeded history, in major units. */
  readonly opening: string;
  readonly creditLimit: string;
  readonly historyMonths: number;
}

/** Parses the fixtures' JSON. Throws an error that names any inconsistency. */
export const parseFixtures = (text: string): Fixtures => {
  const fixtures = JSON.parse(text) as Partial<Fixtures>;
  const { bank, psus, corporates, accounts } = fixtures;
  if (!/^[A-Z]{4}$/.test(bank?.ibanBankCode ?? ''))
    throw new Error('fixtures: bank.ibanBankCode must be four letters');
  if (bank === undefined || psus === undefined || corporates === undefined || accounts === undefined) {
    throw new Error('fixtures: bank, psus, corporates and accounts are required');
  }
  const known = new Set(accounts.map(({ iban }) => iban));
  const owned = [...psus, ...corporates].flatMap((owner) => owner.accounts ?? []);
  for (const iban of [...known, ...owned]) {
    if (!isIban(iban)) throw new Error(`fixtures: ${iban} is not an IBAN`);
    if (!known.has(iban)) throw new Error(`fixtures: account ${iban} has an owner but no data`);
    if (owned.filter((one) => one === iban).length !== 1)
      throw new Error(`fixtures: account ${iban} must have one owner`);
  }
  return { bank, psus, corporates, accounts };
};
