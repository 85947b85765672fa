import { describe, expect, it } from '@jest/globals';
import { missingMembers, requiredMembers } from './berlin-group.js';

const amount = { currency: 'BGN', amount: '1.00' };

describe('the check for members required by the Berlin Group file', () => {
  it.each(Object.entries(requiredMembers))(
    'reports all mandatory members of %s as missing from an empty response',
    (operation, { members }) => {
      const wanted = members.filter(
        (path) => !path.startsWith('transactions?') && !(path.split('.')[0] ?? '').includes('?'),
      );
      expect(missingMembers(operation, {})).toEqual(wanted);
    },
  );

  it('checks every element of a list, and the contents of an optional member if it is present', () => {
    const booked = [{ transactionAmount: amount }, { transactionAmount: { currency: 'BGN' } }];
    const _links = { account: {} };
    expect(missingMembers('listTransactions', { transactions: { booked, _links } })).toEqual([
      'transactions?.booked?[].transactionAmount.amount',
    ]);
    expect(missingMembers('listTransactions', { transactions: { booked: {}, _links } })).toHaveLength(2);
    const whole = { transactions: { booked: [{ transactionAmount: amount }], _links } };
    expect(missingMembers('listTransactions', whole)).toEqual([]);
    expect(missingMembers('listAccounts', { accounts: [{ currency: 'BGN' }, { currency: null }] })).toEqual([
      'accounts[].currency',
    ]);
  });
});
