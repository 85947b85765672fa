import { describe, expect, it } from '@jest/globals';
import { missingMembers, requiredMembers } from './berlin-group.js';

const amount = { currency: 'BGN', amount: '1.00' };

describe('members required by the Berlin Group file', () => {
  it.each(Object.entries(requiredMembers))(
    '%s: an empty answer lacks all that are not optional',
    (operation, { members }) => {
      const wanted = members.filter(
        (path) => !path.startsWith('transactions?') && !(path.split('.')[0] ?? '').includes('?'),
      );
      expect(missingMembers(operation, {})).toEqual(wanted);
    },
  );

  it('are checked in each element, and inside an optional member if it exists', () => {
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
