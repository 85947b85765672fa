import { describe, expect, it } from '@jest/globals';
import { dividePersonal, joinPersonal, type PersonalMembers } from './personal-members.js';

const members: PersonalMembers = {
  psuId: true,
  order: { creditorName: true },
  orders: { creditorName: true },
};

describe('the personal data in a value', () => {
  it('are removed in full from an object and from each element of an array, and can be restored', () => {
    const value = {
      paymentId: 'p',
      psuId: 'maria',
      order: { amount: { minor: 1 }, creditorName: 'Ivan' },
      orders: [{ creditorName: 'A', n: 1 }, { n: 2 }, { creditorName: 'C', n: 3 }],
    };
    const divided = dividePersonal(value, members);
    expect(divided).toEqual({
      plain: { paymentId: 'p', order: { amount: { minor: 1 } }, orders: [{ n: 1 }, { n: 2 }, { n: 3 }] },
      personal: {
        psuId: 'maria',
        order: { creditorName: 'Ivan' },
        orders: [{ creditorName: 'A' }, null, { creditorName: 'C' }],
      },
    });
    expect(joinPersonal(divided)).toEqual(value);
  });

  it.each([
    [{ paymentId: 'p' }],
    [{ order: { amount: 1 } }],
    [{ orders: [] }],
    ['text'],
    [null],
    [[1, null]],
  ])('are absent from %j, which stays unchanged', (value) => {
    const divided = dividePersonal(value, members);
    expect(divided).toEqual({ plain: value });
    expect(joinPersonal(divided)).toEqual(value);
  });

  it('keep their shape even if it is unusual: empty, null, or with members named like those that every object inherits', () => {
    for (const value of [
      { psuId: null, order: null },
      { psuId: '', order: 'none', orders: [[{ creditorName: 'nested' }]] },
      { constructor: 'x', psuId: { toString: 1 }, order: { constructor: 2 } },
    ])
      expect(joinPersonal(dividePersonal(value, members))).toEqual(value);
  });
});
