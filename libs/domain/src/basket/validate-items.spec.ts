import { describe, expect, it } from '@jest/globals';
import type { ItemFacts } from './basket-items.js';
import { validateItems } from './validate-items.js';
import { maxBasketItems, validateBasket } from './validate-basket.js';

const item = (more: Partial<ItemFacts> = {}): ItemFacts => ({
  isGroupable: true,
  isReceived: true,
  isGrouped: false,
  isGroupedOut: false,
  owners: [{ psuId: 'ivan' }],
  signaturesRequired: 1,
  expiresAt: '2026-11-20T09:15:00.000Z',
  ...more,
});
const validated = (
  items: Readonly<Record<string, ItemFacts>>,
  named: Parameters<typeof validateItems>[2] = {},
) => validateItems({ paymentIds: ['p', 'q'], consentIds: ['c'] }, new Map(Object.entries(items)), named);
const listFailures = (...args: Parameters<typeof validated>) => {
  const result = validated(...args);
  return 'failures' in result
    ? result.failures.map(({ failure, path = '' }) => `${failure} ${path}`.trim())
    : [];
};

describe('validation of basket items (contract 10)', () => {
  it('returns the number of signers, the earliest expiry and the named PSU for items that can be signed together', () => {
    expect(
      validated({
        p: item({ signaturesRequired: 2 }),
        q: item({ namedPsuId: 'ivan' }),
        c: item({ expiresAt: '2026-11-20T09:01:00.000Z', owners: [] }),
      }),
    ).toEqual({
      valid: { namedPsuId: 'ivan', signaturesRequired: 2, expiresAt: '2026-11-20T09:01:00.000Z' },
    });
  });

  it.each([
    ['unknown, or another TPP’s', { q: undefined }, 'itemUnknown paymentIds[1]'],
    ['an order', { p: { isGroupable: false } }, 'itemNotGroupable paymentIds[0]'],
    ['not RCVD or received', { c: { isReceived: false } }, 'itemStatusWrong consentIds[0]'],
    ['in a basket', { c: { isGrouped: true } }, 'resourceBlocked consentIds[0]'],
    ['in ten baskets before', { c: { isGroupedOut: true } }, 'itemGroupedTooOften consentIds[0]'],
  ])('reports the path of an item that is %s', (_which, change, expected) => {
    const items = Object.fromEntries(
      ['p', 'q', 'c'].flatMap((id) => {
        const more: Partial<ItemFacts> | undefined = Reflect.get(change, id);
        return id in change && more === undefined ? [] : [[id, item(more)] as const];
      }),
    );
    expect(listFailures(items)).toEqual([expected]);
  });

  it('reports the first failing stage in this order: unknown, mixed, status, blocked', () => {
    const other = item({ owners: [{ psuId: 'maria' }], isReceived: false, isGrouped: true });
    expect(listFailures({ p: item(), q: other })).toEqual(['itemUnknown consentIds[0]']);
    expect(listFailures({ p: item(), q: other, c: item() })).toEqual(['itemsOfSeveralOwners']);
    expect(listFailures({ p: item(), q: item({ isReceived: false, isGrouped: true }), c: item() })).toEqual([
      'itemStatusWrong paymentIds[1]',
    ]);
  });

  it.each([
    ['two PSUs named', { p: item({ namedPsuId: 'ivan' }), q: item({ namedPsuId: 'maria' }) }, {}],
    ['another PSU named for the basket', { p: item({ namedPsuId: 'ivan' }), q: item() }, { psuId: 'maria' }],
    ['a PSU named who does not own the account', { p: item(), q: item() }, { psuId: 'maria' }],
    [
      'two companies',
      { p: item({ owners: [{ corporateId: 'a' }] }), q: item({ owners: [{ corporateId: 'b' }] }) },
      {},
    ],
    [
      'another company named',
      { p: item({ owners: [{ corporateId: 'a' }] }), q: item({ owners: [] }) },
      { psuCorporateId: 'b' },
    ],
  ])('rejects mixed owners: %s', (_what, items, named) => {
    expect(listFailures({ ...items, c: item({ owners: [] }) }, named)).toEqual(['itemsOfSeveralOwners']);
  });

  it('accepts items that name signers of one corporate only if all of them name the same signer', () => {
    const acme = item({ owners: [{ corporateId: 'acme' }], namedPsuId: 'georgi' });
    expect(listFailures({ p: acme, q: acme, c: item({ owners: [] }) })).toEqual([]);
  });
});

describe('validation of the body of POST /signing-baskets (contract 3, 10)', () => {
  const checkForm = (body: unknown) => {
    const result = validateBasket(body);
    return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path}`) : [];
  };
  const ids = (count: number) => Array.from({ length: count }, (_one, index) => `id${index}`);

  it('accepts 1 to 10 items in total', () => {
    expect(checkForm({ paymentIds: ids(maxBasketItems) })).toEqual([]);
    expect(checkForm({ consentIds: ids(1) })).toEqual([]);
    expect(checkForm({})).toEqual(['fieldMissing paymentIds']);
    expect(checkForm({ paymentIds: ids(11) })).toEqual(['fieldMalformed paymentIds']);
    expect(checkForm({ paymentIds: ids(6), consentIds: ids(5) })).toEqual(['fieldMalformed consentIds']);
  });

  it('reports all format errors together, in field order', () => {
    expect(checkForm({ paymentIds: ['a', 1, 'a'], consentIds: [], more: 1 })).toEqual([
      'fieldMalformed paymentIds[1]',
      'fieldMalformed paymentIds[2]',
      'fieldMalformed consentIds',
      'fieldUnknown more',
    ]);
  });
});
