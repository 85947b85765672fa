import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { HoldOrder } from '@xs2a/contracts/accounts.contract';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { makeCustomers } from '../../testing/customers.js';
import { type FreshBank, freshBank } from '../../testing/fresh-bank.js';
import { ledgerViolations } from '../ledger/ledger-invariants.js';
import { Ledger } from '../ledger/ledger.js';
import { createPsu } from '../people/new-psu.js';
import { SimulatedBooking } from '../simulation/simulated-booking.js';
import { Simulations } from '../simulation/simulations.js';
import { SandboxInstant } from './sandbox-instant.js';

let fresh: FreshBank;
let simulations: Simulations;
let booking: SimulatedBooking;
beforeAll(async () => {
  fresh = await freshBank();
  const { pool, clock, profile } = fresh;
  simulations = new Simulations(pool, () => ({ instant: true, payees: false }));
  booking = new SimulatedBooking(new Ledger({ pool, clock, profile, bankCode: 'XSBK' }), simulations);
}, 60_000);
afterAll(() => fresh.close(), 30_000);
afterEach(async () => {
  expect(await ledgerViolations(fresh.pool)).toEqual([]);
});

const { oneAccount } = makeCustomers(() => fresh);
const start = Date.parse('2027-01-04T10:00:00.000Z');
const inSeconds = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
/** A bank whose real time is the first of these seconds when it hears of the order, then the next, and so on. */
const bankAt = (...seconds: readonly number[]): SandboxInstant => {
  const left = [...seconds];
  const real = (): number => start + ((left.length > 1 ? left.shift() : left[0]) ?? 0) * 1000;
  return new SandboxInstant(fresh.pool, new Clock(false, real), simulations);
};
const instantTo = (
  creditorAccount: string,
  debtorIban = 'BG25XSBK92001000000001',
  minor = 100,
  currency = 'BGN',
): HoldOrder => ({
  paymentId: newId(),
  order: {
    amount: { minor, currency },
    debtorIban,
    creditorAccount,
    creditorName: 'Max Mustermann',
    remittance: 'goods',
  },
  instant: true,
});
const reached = 'DE89370400440532013000';
const settled = { outcome: 'settled' };
const rejected = (reasonCode: string) => ({ outcome: 'rejected', reasonCode });
const sendTo = async (payee: string, bank: SandboxInstant, deadline = inSeconds(9)): Promise<unknown> => {
  const { paymentId, order } = instantTo(payee);
  return bank.sendInstant(paymentId, order, deadline);
};

describe('the payees of the sandbox bank (contract E8.2)', () => {
  it.each([
    ['BG30XSBV92001000000201', rejected('AB08')],
    ['BG73XSBV92001000000203', rejected('AC04')],
    ['BG19XSBV92001000000205', rejected('MS03')],
    [reached, settled],
  ])('answer at once: %s', async (payee, outcome) => {
    expect(await sendTo(payee, bankAt(0))).toEqual(outcome);
  });

  it('settle after eight seconds', async () => {
    const payee = 'BG46XSBV92001000000204';
    expect(await sendTo(payee, bankAt(0, 8))).toEqual(settled);
    expect(await sendTo(payee, bankAt(0, 8), inSeconds(8))).toEqual(rejected('AB05'));
  });

  it('are silent until the order is given up just before its deadline', async () => {
    expect(await sendTo('BG03XSBV92001000000202', bankAt(0, 8.75))).toEqual(rejected('AB05'));
  });
});

describe('the outcome of an instant order (contract E3.5)', () => {
  it('never changes, whatever is asked later and by which instance', async () => {
    const { paymentId, order } = instantTo('BG46XSBV92001000000204');
    const early = bankAt(0, 8);
    expect(await early.sendInstant(paymentId, order, inSeconds(9))).toEqual(settled);
    const other = { ...order, creditorAccount: 'BG30XSBV92001000000201' };
    expect(await bankAt(3600).sendInstant(paymentId, other, inSeconds(9))).toEqual(settled);
  });

  it('is decided once if several instances hear of it at the same time', async () => {
    const { paymentId, order } = instantTo(reached);
    const payees = ['BG30XSBV92001000000201', 'BG73XSBV92001000000203', 'BG19XSBV92001000000205', reached];
    const answers = await Promise.all(
      payees.map((creditorAccount) =>
        bankAt(0).sendInstant(paymentId, { ...order, creditorAccount }, inSeconds(9)),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('is AB11 for an order that is first heard of after its deadline, which is in real time', async () => {
    expect(await sendTo(reached, bankAt(9.001))).toEqual(rejected('AB11'));
    expect(await sendTo(reached, bankAt(9))).not.toEqual(rejected('AB11'));
  });
});

describe('simulated outcomes of instant payments (contract E8.4)', () => {
  it.each([
    ['instant-offline', 0, rejected('AB08')],
    ['instant-timeout', 8.75, rejected('AB05')],
    ['instant-closed', 0, rejected('AC04')],
    ['instant-rejected', 0, rejected('MS03')],
    ['instant-slow', 8, settled],
  ])('win over the payee, for as many payments as asked: %s', async (outcome, seconds, expected) => {
    const { psuId, iban } = await oneAccount('100.00');
    expect(await simulations.force({ psuId, outcome, calls: 1 })).toEqual({ psuId, outcome, calls: 1 });
    const payee = outcome === 'instant-offline' ? 'BG19XSBV92001000000205' : reached;
    const { paymentId, order } = instantTo(payee, iban);
    expect(await bankAt(0, seconds).sendInstant(paymentId, order, inSeconds(9))).toEqual(expected);
    const next = instantTo(reached, iban);
    expect(await bankAt(0).sendInstant(next.paymentId, next.order, inSeconds(9))).toEqual(settled);
  });

  it('refuse the hold because of the limit, again without counting it if settlement repeats the call', async () => {
    const { psuId, iban } = await oneAccount('100.00');
    await simulations.force({ psuId, outcome: 'instant-limit', calls: 1 });
    const [first, next] = [instantTo(reached, iban), instantTo(reached, iban)];
    const other = { ...instantTo(reached, iban), instant: undefined };
    const refused = [{ paymentId: first.paymentId, held: false, reason: 'limit-exceeded' }];
    expect(await booking.placeHolds([other])).toMatchObject([{ held: true }]);
    expect(await booking.placeHolds([first])).toEqual(refused);
    expect(await booking.placeHolds([next])).toMatchObject([{ held: true }]);
    expect(await booking.placeHolds([first])).toEqual(refused);
  });

  it('do not exist where the bank offers no instant payments', async () => {
    const outcomes = 'insufficient-funds, core-bank-down, reject, slow, none';
    expect(await fresh.bank.tools.simulate({ psuId: 'ivan', outcome: 'instant-slow' })).toEqual({
      refused: [{ failure: 'fieldMalformed', path: 'outcome', text: `Send one of ${outcomes}.` }],
    });
  });
});

describe('the limit that a PSU has for instant payments (contract E3.7, E8.4)', () => {
  const personWith = async (instantLimit: string): Promise<string> => {
    const { pool, clock, hashKeys } = fresh;
    const body = { accounts: [{ currency: 'EUR', opening: '500.00', instantLimit }] };
    const created = await createPsu({ pool, clock, hashKeys, bankCode: 'XSBK', homeCurrency: 'EUR' }, body);
    if ('failures' in created) throw new Error('not created');
    return created.accounts[0]?.iban ?? '';
  };

  it('refuses the hold of an instant payment above it', async () => {
    const iban = await personWith('20.00');
    const orders = [2001, 2000].map((minor) => instantTo(reached, iban, minor, 'EUR'));
    expect(await booking.placeHolds(orders)).toMatchObject([
      { held: false, reason: 'limit-exceeded' },
      { held: true },
    ]);
  });
});

describe('an instant payment to an account at this bank (contract E3.2)', () => {
  it('is credited and booked on both sides at once', async () => {
    const [payer, payee] = [await oneAccount('100.00'), await oneAccount('1.00')];
    const order = instantTo(payee.iban, payer.iban, 2500);
    await booking.placeHolds([order]);
    expect(await bankAt(0).sendInstant(order.paymentId, order.order, inSeconds(9))).toEqual(settled);
    await booking.postHolds([order.paymentId]);
    const { rows } = await fresh.pool.query<{ amount: number; isBooked: boolean; date: string }>(
      `SELECT amount, book_at <= $2 AS "isBooked", details::json->>'bookingDate' AS date FROM entry
       WHERE account_id IN (SELECT id FROM account WHERE iban = ANY($1)) AND transfer_id IS NOT NULL
         AND abs(amount) = 2500 ORDER BY amount`,
      [[payer.iban, payee.iban], fresh.clock.now()],
    );
    const date = fresh.clock.date('Europe/Sofia');
    expect(rows).toEqual([
      { amount: -2500, isBooked: true, date },
      { amount: 2500, isBooked: true, date },
    ]);
  });
});

describe('the outcomes that can be simulated (contract E8.4)', () => {
  it('are those that the bank offers now, also after a switch to another profile', async () => {
    const { tools } = fresh.bank;
    const { products } = fresh.profile;
    const body = { psuId: 'ivan', outcome: 'instant-timeout', calls: 1 };
    expect(await tools.simulate(body)).toMatchObject({ refused: [{ path: 'outcome' }] });
    Object.assign(fresh.profile, { products: [...products, 'instant-SEPA-credit-transfer'] });
    expect(await tools.simulate(body)).toEqual(body);
    Object.assign(fresh.profile, { products });
    expect(await tools.simulate({ psuId: 'ivan', outcome: 'none' })).toMatchObject({ outcome: 'none' });
  });
});

describe('the stored outcome of an instant order', () => {
  it('has any ISO 20022 reason code, and no other text', async () => {
    const store = async (code: string) =>
      fresh.pool.query(
        'INSERT INTO instant_order (payment_id, reason_code, known_at) VALUES ($1, $2, now())',
        [newId(), code],
      );
    for (const code of ['AC04', 'CNOR', '9910']) expect((await store(code)).rowCount).toBe(1);
    for (const code of ['ac04', 'AC4', 'closed'])
      await expect(store(code)).rejects.toThrow('reason_code_is_iso');
  });
});
