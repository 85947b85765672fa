/** A person of the sandbox, as whom a visitor can sign in at the bank. */
export interface TestPerson {
  readonly name: string;
  /** The user name at the bank. */
  readonly psuId: string;
  /** The account that the forms suggest. */
  readonly iban: string;
  /** What the visitor sees with this person. */
  readonly shows: string;
}

/** The same for all people of the sandbox. */
export const testPassword = 'sandbox';
export const testCode = '123456';

/** People with whom a sandbox begins. Everybody shares them, so their balances change. */
export const testPeople: readonly TestPerson[] = [
  {
    name: 'Ivan',
    psuId: 'ivan',
    iban: 'BG25XSBK92001000000001',
    shows: 'Enough money, several accounts in two currencies, and transactions of more than a year.',
  },
  {
    name: 'Maria',
    psuId: 'maria',
    iban: 'BG46XSBK92001000000011',
    shows: 'A small balance with an overdraft, and savings: large payments find no money.',
  },
  {
    name: 'Blocked',
    psuId: 'blocked',
    iban: 'BG88XSBK92001000000031',
    shows: 'A blocked account: the bank refuses each payment from it.',
  },
];
