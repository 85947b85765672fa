import { describe, expect, it } from '@jest/globals';
import { bgnOrder } from '../testing/signed-payment.js';
import { matchesSearch, type OrderSearch } from './payment-search.js';

const order = { ...bgnOrder('BG80BNBG96611020345678', 1250, 'BG26RZBB91551023456789'), endToEndId: 'INV-1' };
const rent = { ...order, creditorAccount: 'DE-acct-77ab', creditorName: 'ＡＢＣ Ltd', endToEndId: 'INV-2' };

describe('an operator’s search for a payment (docs/how-to/operate.md)', () => {
  it.each<[string, OrderSearch, boolean]>([
    ['the end of the debtor’s account', { lastFour: '5678' }, true],
    ['the end of the creditor’s account', { lastFour: '6789' }, true],
    ['another part of an account', { lastFour: '2034' }, false],
    ['a part of the creditor’s name in another case', { payee: 'георг' }, true],
    ['a name that is not the creditor’s', { payee: 'Иван' }, false],
    ['the endToEndId', { endToEndId: 'INV-1' }, true],
    ['a part of the endToEndId', { endToEndId: 'INV' }, false],
    ['two values that match', { lastFour: '5678', payee: 'мария' }, true],
    ['two values of which one matches', { lastFour: '5678', endToEndId: 'INV-2' }, false],
  ])('by %s', (_by, search, isFound) => {
    expect(matchesSearch([order], search)).toBe(isFound);
  });

  it('ignores the case of letters in an account, and different forms of the same character in a name', () => {
    expect(matchesSearch([rent], { lastFour: '77AB', payee: 'abc' })).toBe(true);
  });

  it('finds a bulk payment by one of its entries, but not by values of different entries', () => {
    expect(matchesSearch([order, rent], { lastFour: '77ab', endToEndId: 'INV-2' })).toBe(true);
    expect(matchesSearch([order, rent], { lastFour: '77ab', endToEndId: 'INV-1' })).toBe(false);
  });
});
