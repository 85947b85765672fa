import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '../openapi/document.js';
import { faultPath, namesOfProfile } from './fault-path.js';

const origin = 'http://127.0.0.1:8080';
const describeProfile = (name: 'sandbox' | 'bg-euro') =>
  openApiDocument({ baseUrl: origin, pagesUrl: origin, sandbox: true, profile: makeProfile(name) });
const names = namesOfProfile({ name: 'sandbox' }, () => describeProfile('sandbox'))();

describe('the path of a violation in the row of a call (docs/adr/0077)', () => {
  it.each([
    'instructedAmount.amount',
    'payments[3].creditorAccount.iban',
    'access.balances[0].iban',
    'paymentIds[9]',
    'accounts[0].opening',
    'PSU-IP-Address',
    'X-Request-ID',
    'TPP-Redirect-URI',
    'Consent-ID',
    'Host',
    'bookingStatus',
    'pageSize',
  ])('%s is part of the contract and is kept', (path) => {
    expect(faultPath({ failure: 'fieldMalformed', path }, names)).toBe(path);
  });

  it.each([
    ['BG80BNBG96611020345678', '?'],
    ['debtorAccount.BG80BNBG96611020345678', 'debtorAccount.?'],
    ['payments[2].IvanIvanov.iban', 'payments[2].?'],
    ['debtorAccount.iban BG80', 'debtorAccount.?'],
    ['debtorAccount[BG80BNBG96611020345678]', '?'],
    ['debtorAccount..iban', 'debtorAccount.?'],
    ['', '?'],
    ['__proto__', '?'],
    ['constructor', '?'],
  ])('%s contains text of the client and becomes %s', (path, stored) => {
    for (const failure of ['fieldMalformed', 'fieldUnknown', 'headerMalformed'] as const)
      expect(faultPath({ failure, path }, names)).toBe(stored);
  });

  it.each([
    ['iban', '?'],
    ['debtorAccount.currency', 'debtorAccount.?'],
    ['payments[2].amount', 'payments[2].?'],
  ])('%s of an unknown member becomes %s, even if another field has that name', (path, stored) => {
    expect(faultPath({ failure: 'fieldUnknown', path }, names)).toBe(stored);
  });

  it('is that of the new contract once the bank has switched to another profile', () => {
    const profile: { name: 'sandbox' | 'bg-euro' } = { name: 'sandbox' };
    const read = namesOfProfile(profile, () => describeProfile(profile.name));
    const violation = { failure: 'fieldMalformed', path: 'partyAccount.iban' } as const;
    expect(faultPath(violation, read())).toBe('?');
    profile.name = 'bg-euro';
    expect(faultPath(violation, read())).toBe('partyAccount.iban');
  });

  it('is absent if the violation has none', () => {
    expect(faultPath({ failure: 'bodyNotJson' }, names)).toBeUndefined();
  });
});
