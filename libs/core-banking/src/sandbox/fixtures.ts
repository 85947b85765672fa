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
    readonly otherNames?: readonly string[];
    readonly eik?: string;
  }[];
  readonly accounts: readonly FixtureAccount[];
}

/** The fixtures as in the file, with what only a bank in euro has (contract E8.1). */
export interface FixturesFile extends Fixtures {
  readonly euro: {
    /** Further accounts, each with the PSU who owns it. */
    readonly accounts: readonly (FixtureAccount & { readonly psuId: string })[];
    /** Further facts about the corporates. */
    readonly corporates: readonly Pick<
      Fixtures['corporates'][number],
      'corporateId' | 'otherNames' | 'eik'
    >[];
    /** The ISO date from which the history of these accounts begins at the latest, by IBAN. */
    readonly historyFrom: Readonly<Record<string, string>>;
  };
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
  /** An ISO date from which the history begins at the latest. */
  readonly historyFrom?: string;
  /** The opening balance in leva of an account that was converted into euro. */
  readonly openingInLeva?: string;
  /** The names of the other holders. */
  readonly holders?: readonly string[];
}

/** Parses the fixtures' JSON. Throws an error that names any inconsistency. */
export const parseFixtures = (text: string): FixturesFile => {
  const fixtures = JSON.parse(text) as Partial<FixturesFile>;
  const { bank, psus, corporates, accounts, euro } = fixtures;
  if (!/^[A-Z]{4}$/.test(bank?.ibanBankCode ?? ''))
    throw new Error('fixtures: bank.ibanBankCode must be four letters');
  if (
    bank === undefined ||
    psus === undefined ||
    corporates === undefined ||
    accounts === undefined ||
    euro === undefined
  ) {
    throw new Error('fixtures: bank, psus, corporates, accounts and euro are required');
  }
  const known = new Set(accounts.map(({ iban }) => iban));
  const owned = [...psus, ...corporates].flatMap((owner) => owner.accounts ?? []);
  for (const { iban } of euro.accounts)
    if (!isIban(iban)) throw new Error(`fixtures: ${iban} is not an IBAN`);
  for (const iban of [...known, ...owned]) {
    if (!isIban(iban)) throw new Error(`fixtures: ${iban} is not an IBAN`);
    if (!known.has(iban)) throw new Error(`fixtures: account ${iban} has an owner but no data`);
    if (owned.filter((one) => one === iban).length !== 1)
      throw new Error(`fixtures: account ${iban} must have one owner`);
  }
  return { bank, psus, corporates, accounts, euro };
};
