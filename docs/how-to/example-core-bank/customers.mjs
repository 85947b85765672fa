// The customers of the example bank. A real adapter queries the core banking system instead.
import { scryptSync, timingSafeEqual } from 'node:crypto';

const account = (resourceId, iban, owner, opening, more = {}) => ({
  resourceId,
  iban,
  owner,
  currency: 'BGN',
  product: 'Current account',
  type: 'CACC',
  status: 'enabled',
  main: false,
  internetBanking: true,
  creditLimit: 0,
  opening,
  ...more,
});

/**
 * Accounts, with amounts in minor units: 100000 is 1,000.00 BGN. Resource ids are permanent and reveal nothing
 * about the account.
 */
export const accounts = [
  account('8b6c1a52-64d9-4a5e-9f0e-3d1f7f7d1a01', 'BG03EXMP92001000000101', 'anna', 100_000, {
    main: true,
    // The most that anna allows for one instant payment.
    instantLimit: 90_000,
  }),
  account('0f4f9b7e-5b3c-4c8e-8a55-6a6f0f5b1a02', 'BG73EXMP92001000000102', 'anna', 25_000, {
    product: 'Savings account',
    type: 'SVGS',
  }),
  account('c3f3f0a4-2d0b-4f57-9b27-1f6a1d0c2b01', 'BG19EXMP92001000000201', 'boris', 50_000, {
    main: true,
    creditLimit: 20_000,
  }),
  account('e1d7c5b2-7a91-4b7c-b0d6-9c2d4e8f3c01', 'BG35EXMP92001000000301', 'example-ltd', 900_000),
];

/** An account at a bank that does not answer instant orders. */
export const silentPayee = 'BG56RZBB91551000000776';

/** Corporates, and the persons who sign for them. */
export const corporates = new Map([
  ['example-ltd', { name: 'Example Ltd', signers: ['anna', 'boris'], signaturesRequired: 2 }],
]);

const salt = 'one salt for each person, stored with the hash';
const hashPassword = (password) => scryptSync(password, salt, 32, { N: 2 ** 14 });
const people = new Map([
  ['anna', { name: 'Anna Ivanova', hash: hashPassword('anna-password') }],
  ['boris', { name: 'Boris Petrov', hash: hashPassword('boris-password') }],
]);
const decoy = hashPassword('nobody has this password');

/** Does the same work for an unknown PSU as for a wrong password, so that timing reveals nothing. */
export const authenticate = (psuId, password) => {
  const person = people.get(psuId);
  const right = timingSafeEqual(hashPassword(password), person?.hash ?? decoy);
  return right && person !== undefined ? { psuId, name: person.name } : undefined;
};

export const findName = (owner) => people.get(owner)?.name ?? corporates.get(owner)?.name ?? owner;

/** Lists the PSU's own accounts, main accounts first, followed by those of corporates for which the PSU signs. */
export const listAccounts = (psuId) => [
  ...accounts.filter(({ owner }) => owner === psuId).sort((one, other) => other.main - one.main),
  ...accounts.filter(({ owner }) => corporates.get(owner)?.signers.includes(psuId)),
];
