import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { testPassword, testPeople } from './people.js';

interface Person {
  readonly psuId: string;
  readonly password: string;
  readonly accounts?: readonly string[];
}
const fixtures = new URL('../../../../deploy/sandbox/sandbox-fixtures.json', import.meta.url);
const { psus } = JSON.parse(readFileSync(fixtures, 'utf8')) as { readonly psus: readonly Person[] };

describe('the test people of the demo TPP', () => {
  it.each(testPeople)('$name exists in the sandbox, with this password and account', ({ psuId, iban }) => {
    const person = psus.find((one) => one.psuId === psuId);
    expect(person?.password).toBe(testPassword);
    expect(person?.accounts).toContain(iban);
  });
});
