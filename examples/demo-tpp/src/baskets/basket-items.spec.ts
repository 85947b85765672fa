import { describe, expect, it } from '@jest/globals';
import { Sessions } from '../page/sessions.js';
import { freeItems, addSums } from './basket-items.js';

const entry = {
  line: 1,
  creditorName: 'Мария',
  creditorIban: 'BG26RZBB91551023456789',
  amount: '10.05',
  remittance: 'Заплата',
  endToEndId: '',
};
const sessionOfThree = () => {
  const { session } = new Sessions({ nowMs: () => 0 }).begin('en');
  session.bulks.set('c', { resourceId: 'bank-c', entries: [entry, entry] });
  const payment = { bankPath: '/v1/payments/x', amount: '5.00', currency: 'BGN', creditorName: 'Petar' };
  session.payments.set('a', { ...payment, resourceId: 'bank-a' });
  session.payments.set('b', { ...payment, resourceId: 'bank-b', amount: '0.1' });
  return session;
};

describe('the items that a session can put into a signing basket (contract 10)', () => {
  it('are payments and bulks, each with its sum, its page and its path at the bank; not orders', () => {
    const session = sessionOfThree();
    const [one, , bulk] = freeItems(session);
    expect(one).toEqual({
      id: 'a',
      resourceId: 'bank-a',
      ownPath: '/payments/a',
      statusPath: '/v1/payments/x/bank-a/status',
      pays: { payee: 'Petar' },
      amount: '5.00',
      currency: 'BGN',
    });
    expect(bulk).toMatchObject({
      ownPath: '/bulks/c',
      statusPath: '/v1/bulk-payments/domestic-credit-transfer-BGN/bank-c/status',
      pays: { payments: 2 },
      amount: '20.10',
    });
  });

  it('are not already in a basket, unless that was dissolved', () => {
    const session = sessionOfThree();
    const items = freeItems(session).slice(0, 2);
    session.baskets.set('d', { resourceId: 'bank-d', items, scaRedirect: '' });
    expect(freeItems(session).map(({ id }) => id)).toEqual(['c']);
    session.baskets.set('d', { resourceId: 'bank-d', items, scaRedirect: '', isDissolved: true });
    expect(freeItems(session).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('have a sum per currency', () => {
    const items = [...freeItems(sessionOfThree()), { amount: '1', currency: 'EUR' }];
    expect(addSums(items)).toEqual([
      { amount: '25.20', currency: 'BGN' },
      { amount: '1.00', currency: 'EUR' },
    ]);
    expect(addSums([])).toEqual([]);
  });
});
