import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { testPassword, testPeople } from './people.js';

interface Person {
  readonly psuId: string;
  readonly password: string;
  readonly accounts?: readonly string[];
  readonly corporateIds?: readonly string[];
}
interface Corporate {
  readonly corporateId: string;
  readonly signaturesRequired: number;
  readonly accounts: readonly string[];
}
const fixtures = new URL('../../../../deploy/sandbox/sandbox-fixtures.json', import.meta.url);
const { psus, corporates } = JSON.parse(readFileSync(fixtures, 'utf8')) as {
  readonly psus: readonly Person[];
  readonly corporates: readonly Corporate[];
};
const corporatesOf = (psuId: string): readonly Corporate[] => {
  const ids = psus.find((one) => one.psuId === psuId)?.corporateIds ?? [];
  return corporates.filter(({ corporateId }) => ids.includes(corporateId));
};

describe('the test people of the demo TPP', () => {
  it.each(testPeople)('$name exists in the sandbox, with this password and account', ({ psuId, iban }) => {
    const person = psus.find((one) => one.psuId === psuId);
    expect(person?.password).toBe(testPassword);
    expect([person?.accounts ?? [], corporatesOf(psuId).map(({ accounts }) => accounts)].flat(2)).toContain(
      iban,
    );
  });

  it.each(testPeople.filter(({ signers }) => signers !== undefined))(
    '$name’s account needs the signature of each signer',
    ({ iban, signers = [] }) => {
      for (const psuId of signers) {
        const corporate = corporatesOf(psuId).find(({ accounts }) => accounts.includes(iban));
        expect(corporate?.signaturesRequired).toBe(signers.length);
      }
    },
  );
});
