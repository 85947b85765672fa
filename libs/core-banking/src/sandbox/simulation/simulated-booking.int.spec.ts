import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { HoldOrder } from '@xs2a/contracts/accounts.contract';
import { newId } from '@xs2a/runtime/ids';
import { makeCustomers } from '../../testing/customers.js';
import { type FreshBank, freshBank } from '../../testing/fresh-bank.js';
import { ledgerViolations } from '../ledger/ledger-invariants.js';

let fresh: FreshBank;
beforeAll(async () => {
  fresh = await freshBank();
}, 60_000);
afterAll(() => fresh.close(), 30_000);
afterEach(async () => {
  expect(await ledgerViolations(fresh.pool)).toEqual([]);
});

const { oneAccount } = makeCustomers(() => fresh);
const person = () => oneAccount('100.00');
const paymentFrom = (debtorIban: string): HoldOrder => ({
  paymentId: newId(),
  order: {
    amount: { minor: 1000, currency: 'BGN' },
    debtorIban,
    creditorAccount: 'DE89370400440532013000',
    creditorName: 'Max Mustermann',
    remittance: 'goods',
  },
});
const readHeld = async (orders: readonly HoldOrder[]): Promise<boolean[]> =>
  (await fresh.bank.booking.placeHolds(orders)).map(({ held }) => held);

describe('simulated outcomes when settlement repeats a call after a crash (contract 13)', () => {
  it('do not refuse a payment whose money is already held, because the hold would never be released', async () => {
    const { psuId, iban } = await person();
    const [held, next] = [paymentFrom(iban), paymentFrom(iban)];
    expect(await readHeld([held])).toEqual([true]);
    await fresh.bank.tools.simulate({ psuId, outcome: 'insufficient-funds' });
    expect(await readHeld([held, next])).toEqual([true, false]);
    expect(await readHeld([held, next])).toEqual([true, false]);
  });

  it('allow calls for many payments at once as soon as the simulated outage ends', async () => {
    const { psuId, iban } = await person();
    const [first, second] = [paymentFrom(iban), paymentFrom(iban)];
    await fresh.bank.tools.simulate({ psuId, outcome: 'core-bank-down' });
    await expect(readHeld([first, second])).rejects.toMatchObject({ name: 'OneByOneRequired' });
    await expect(readHeld([first])).rejects.toMatchObject({ detail: 'simulated' });
    expect(await readHeld([first, second])).toEqual([true, true]);
  });
});
