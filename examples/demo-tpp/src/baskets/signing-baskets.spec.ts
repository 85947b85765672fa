import { describe, expect, it } from '@jest/globals';
import type { Initiations } from '../bank/initiations.js';
import type { KnownPayment, Session } from '../page/sessions.js';
import { SigningBaskets } from './signing-baskets.js';

const session = (count: number): Session => ({
  csrf: '',
  accounts: [],
  payments: new Map(
    Array.from({ length: count }, (_none, index): [string, KnownPayment] => [
      `${index}`,
      { bankPath: '/p', resourceId: `${index}`, amount: '1.00', currency: 'BGN', creditorName: 'A' },
    ]),
  ),
  orders: new Map(),
  bulks: new Map(),
  baskets: new Map(),
});
/** A bank where the resources with these ids wait for a signature. */
const bankWith = (waiting: (id: number) => boolean): Initiations =>
  ({
    readAll: async (paths: readonly string[]) =>
      paths.map((path) => ({
        transactionStatus: waiting(Number(/\d+/.exec(path)?.[0])) ? 'RCVD' : 'ACSC',
      })),
  }) as unknown as Initiations;

describe('the offer for a basket', () => {
  it('has at most as many items as a basket: the latest that wait for a signature', async () => {
    const offered = await new SigningBaskets(bankWith(() => true)).offered(session(14));
    expect(offered.map(({ id }) => id)).toEqual(['4', '5', '6', '7', '8', '9', '10', '11', '12', '13']);
  });

  it('omits items that do not wait for a signature', async () => {
    const offered = await new SigningBaskets(bankWith((id) => id % 7 === 0)).offered(session(16));
    expect(offered.map(({ id }) => id)).toEqual(['0', '7', '14']);
  });
});
