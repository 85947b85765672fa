import { describe, expect, it } from '@jest/globals';
import type { AnyInitiated, Basket, BasketItem } from '../page/session.js';
import { freeItems, latestUnsigned, sumOf } from './basket-items.js';

const ofBank = (id: string) => ({
  id,
  resourceId: id,
  ownPath: `/${id}`,
  bankPath: `/v1/${id}`,
  scaRedirect: '',
});
const payment = (id: string, amount: string): BasketItem => ({
  ...ofBank(id),
  kind: 'payment',
  amount,
  creditorName: 'Petar',
});
const entry = {
  line: 1,
  creditorName: 'Мария',
  creditorIban: 'BG26RZBB91551023456789',
  amount: '10.05',
  remittance: 'Заплата',
  endToEndId: '',
};
const bulk: BasketItem = { ...ofBank('bulk'), kind: 'bulk', entries: [entry, entry] };
const sessionOf = (...all: readonly AnyInitiated[]) => ({
  initiated: new Map(all.map((one) => [one.id, one])),
});

describe('items that a session can add to a signing basket (contract 10)', () => {
  it('exclude items that are already in a basket, unless that basket was dissolved', () => {
    const [one, two] = [payment('one', '5.00'), payment('two', '0.1')];
    const basket: Basket = { ...ofBank('basket'), kind: 'basket', items: [one, two] };
    expect(freeItems(sessionOf(one, two, bulk, basket))).toEqual([bulk]);
    expect(freeItems(sessionOf(one, two, bulk, { ...basket, isDissolved: true }))).toEqual([one, two, bulk]);
  });

  it('are shown with their total', () => {
    expect(sumOf([payment('one', '5.00'), payment('two', '0.1'), bulk])).toBe('25.20');
    expect(sumOf([])).toBe('0.00');
  });
});

describe('the items offered for a basket', () => {
  /** Returns the ids offered for the given number of payments, some of which wait for a signature at the bank. */
  const offered = async (count: number, isUnsigned: (number: number) => boolean): Promise<string[]> => {
    const all = Array.from({ length: count }, (_none, index) => payment(String(index), '1.00'));
    const readStatuses = async <Body>(asked: readonly AnyInitiated[]) =>
      asked.map(({ id }) => ({ transactionStatus: isUnsigned(Number(id)) ? 'RCVD' : 'ACSC' }) as Body);
    return (await latestUnsigned(sessionOf(...all), { readStatuses })).map(({ id }) => id);
  };

  it('are the latest items that wait for a signature, up to the size limit of a basket', async () => {
    expect(await offered(14, () => true)).toEqual(['4', '5', '6', '7', '8', '9', '10', '11', '12', '13']);
  });

  it('exclude items that do not wait for a signature', async () => {
    expect(await offered(16, (number) => number % 7 === 0)).toEqual(['0', '7', '14']);
  });
});
