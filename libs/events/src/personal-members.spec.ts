import { describe, expect, it } from '@jest/globals';
import { dividePersonal, type Field, joinPersonal } from './personal-members.js';

const order: Field = { amount: { minor: 'plain' }, n: 'plain', creditorName: 'personal' };
const fields: Field = { paymentId: 'plain', ids: 'plain', psuId: 'personal', order, orders: order };

describe('the personal data in a value', () => {
  it('are removed in full from an object and from each element of an array, and can be restored', () => {
    const value = {
      paymentId: 'p',
      psuId: 'maria',
      order: { amount: { minor: 1 }, creditorName: 'Ivan' },
      orders: [{ creditorName: 'A', n: 1 }, { n: 2 }, { creditorName: 'C', n: 3 }],
    };
    const divided = dividePersonal(value, fields);
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
    [{ order: { amount: { minor: 1 }, n: null } }],
    [{ orders: [] }],
    [{ ids: ['p', 'q', null] }],
    [null],
  ])('are absent from %j, which stays unchanged', (value) => {
    const divided = dividePersonal(value, fields);
    expect(divided).toEqual({ plain: value });
    expect(joinPersonal(divided)).toEqual(value);
  });

  it('keep their shape even if it is unusual: empty, null, or with members named like those that every object inherits', () => {
    for (const value of [
      { psuId: null, order: null },
      { psuId: '', orders: [[{ creditorName: 'nested' }]] },
      { constructor: 'x', psuId: { toString: 1 }, order: { constructor: 2 } },
    ])
      expect(joinPersonal(dividePersonal(value, fields))).toEqual(value);
  });

  it.each([
    ['a member', { paymentId: 'p', more: 'x' }, { paymentId: 'p' }, { more: 'x' }],
    [
      'a member of an object',
      { order: { n: 1, more: { a: 'x' } } },
      { order: { n: 1 } },
      { order: { more: { a: 'x' } } },
    ],
    [
      'a member of an element',
      { orders: [{ n: 1, more: 'x' }, { n: 2 }] },
      { orders: [{ n: 1 }, { n: 2 }] },
      { orders: [{ more: 'x' }, null] },
    ],
    ['an object in place of a text', { paymentId: { iban: 'x' } }, {}, { paymentId: { iban: 'x' } }],
    [
      'an object among texts',
      { ids: ['p', { iban: 'x' }] },
      { ids: ['p', null] },
      { ids: [null, { iban: 'x' }] },
    ],
    ['a text in place of an object', { order: 'x', paymentId: 'p' }, { paymentId: 'p' }, { order: 'x' }],
    [
      'a text among objects',
      { orders: ['x', { n: 2 }] },
      { orders: [null, { n: 2 }] },
      { orders: ['x', null] },
    ],
    ['a text', 'x', undefined, 'x'],
  ])('include %s that the table does not name', (_title, value, plain, personal) => {
    const divided = dividePersonal(value, fields);
    expect(divided).toEqual({ plain, personal });
    expect(joinPersonal(divided)).toEqual(value);
  });

  it('can be read if a member was stored as plain text before its table was complete', () => {
    const stored = { plain: { paymentId: 'p', more: 'x', order: { more: 1 } }, personal: { psuId: 'maria' } };
    expect(joinPersonal(stored)).toEqual({ ...stored.plain, psuId: 'maria' });
  });
});
