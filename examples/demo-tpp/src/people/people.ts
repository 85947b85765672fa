/** A person of the sandbox, as whom a visitor can sign in at the bank. */
export interface TestPerson {
  readonly name: string;
  /** The user name at the bank. */
  readonly psuId: string;
  /** The account that the forms suggest. */
  readonly iban: string;
  /** The user names of all people who sign for the account, if they are several. */
  readonly signers?: readonly string[];
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
    name: 'Georgi',
    psuId: 'georgi',
    iban: 'BG67XSBK92001000000021',
    signers: ['georgi', 'elena'],
    shows: 'A company’s account. Two people sign each payment, Georgi and Elena, one after the other.',
  },
  {
    name: 'Blocked',
    psuId: 'blocked',
    iban: 'BG88XSBK92001000000031',
    shows: 'A blocked account: the bank refuses each payment from it.',
  },
];
