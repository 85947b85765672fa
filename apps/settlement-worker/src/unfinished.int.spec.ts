import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { outside } from './testing/outside.js';
import { type SettlementWorld, startSettlementWorld } from './testing/settlement-world.js';

let world: SettlementWorld;
beforeAll(async () => {
  world = await startSettlementWorld();
}, 90_000);
afterAll(async () => world.stop(), 30_000);
afterEach(async () => {
  outside.interfere = async () => undefined;
  expect(await ledgerViolations(world.bank.pool)).toEqual([]);
});

describe('settlements that were started but not finished', () => {
  it('are neither paid nor released if the payment is unknown to the payments service', async () => {
    const from = await world.account(10_000);
    const known = await world.signed({ from, minor: 100 });
    const unknown = '01990000-0000-7000-8000-00000000dead';
    await world.sql('INSERT INTO settlement.unfinished (payment_id) VALUES ($1)', [unknown]);
    await world.later(61);
    expect((await world.state(known)).status).toBe('ACSC');
    expect(await world.transfers(unknown)).toEqual([]);
    expect(
      await world.sql('SELECT last_failure FROM settlement.unfinished WHERE payment_id = $1', [unknown]),
    ).toEqual([{ last_failure: 'settlement has started, but the payment is not due' }]);
    await world.sql('DELETE FROM settlement.unfinished WHERE payment_id = $1', [unknown]);
  });

  it('delay no other payment if a database reset lost the signature, and are completed if the payment is signed again', async () => {
    const from = await world.account(10_000);
    const cancelled = await world.accepted({ from, minor: 100 });
    const again = await world.accepted({ from, minor: 100 });
    const orders = [];
    for (const paymentId of [cancelled, again])
      orders.push({ paymentId, order: (await world.state(paymentId)).order });
    await world.bank.bank.booking.placeHolds(orders);
    await world.cancel(cancelled);
    await world.sql(
      `INSERT INTO settlement.unfinished (payment_id)
       SELECT lpad(to_hex(n), 32, '0')::uuid FROM generate_series(1, 150) AS n UNION ALL SELECT unnest($1::uuid[])`,
      [[cancelled, again]],
    );
    await world.drain();
    expect(await world.transfers(cancelled)).toEqual(['hold', 'void']);
    expect(await world.transfers(again)).toEqual(['hold']);
    expect(
      await world.sql(
        'SELECT count(*)::int AS waiting FROM settlement.unfinished WHERE retry_at IS NOT NULL GROUP BY last_failure',
      ),
    ).toEqual([{ waiting: 151 }]);
    await world.sign(again);
    await world.later(61);
    await world.retryNow();
    expect((await world.state(again)).status).toBe('ACSC');
    expect(await world.transfers(again)).toEqual(['hold', 'post']);
    await world.sql('DELETE FROM settlement.unfinished');
  });

  it('are not paid if the database lost the cancellation of the payment; other payments from the account are paid', async () => {
    const from = await world.account(2000);
    const lost = await world.signed({ from, minor: 1000 });
    await world.bank.bank.booking.placeHolds([{ paymentId: lost, order: (await world.state(lost)).order }]);
    await world.bank.bank.booking.voidHolds([lost]);
    const other = await world.signed({ from, minor: 2000 });
    await world.later(61);
    await world.retryNow();
    expect((await world.state(other)).status).toBe('ACSC');
    expect((await world.state(lost)).status).toBe('ACSP');
    expect(await world.transfers(lost)).toEqual(['hold', 'void']);
    expect(
      await world.sql('SELECT last_failure FROM settlement.unfinished WHERE payment_id = $1', [lost]),
    ).toEqual([{ last_failure: 'settlement has started, but there is no hold to post' }]);
    await world.sql('UPDATE payments.payment_view SET due_at = NULL WHERE stream_id = $1', [lost]);
    await world.sql('DELETE FROM settlement.unfinished');
  });

  it('do not delay others if a hold cannot be released; the hold is released later', async () => {
    const from = await world.account(10_000);
    const cancelled = await world.accepted({ from, minor: 100 });
    await world.bank.bank.booking.placeHolds([
      { paymentId: cancelled, order: (await world.state(cancelled)).order },
    ]);
    await world.cancel(cancelled);
    await world.sql('INSERT INTO settlement.unfinished (payment_id) VALUES ($1)', [cancelled]);
    outside.interfere = async (step, moment, ids) => {
      if (step === 'void' && moment === 'before' && ids.includes(cancelled)) throw dependencyDown();
    };
    const other = await world.signed({ from, minor: 2000 });
    await world.later(61);
    expect((await world.state(other)).status).toBe('ACSC');
    expect(await world.transfers(cancelled)).toEqual(['hold']);
    outside.interfere = async () => undefined;
    await world.retryNow();
    expect(await world.transfers(cancelled)).toEqual(['hold', 'void']);
    expect(await world.sql('SELECT FROM settlement.unfinished')).toEqual([]);
  });

  it('are retried at increasing intervals if the booking fails repeatedly', async () => {
    const id = await world.signed({ from: await world.account(10_000), minor: 2500 });
    await world.later(61);
    outside.interfere = async (step, moment, ids) => {
      if (step === 'booked' && moment === 'before' && ids.includes(id)) throw new TypeError('broken');
    };
    await world.later(301);
    for (let tries = 0; tries < 4; tries += 1) await world.retryNow();
    const [row] = await world.sql(
      `SELECT attempts >= 5 AS counted, retry_at > now() + interval '8 seconds' AS later
       FROM settlement.unfinished WHERE payment_id = $1`,
      [id],
    );
    expect(row).toEqual({ counted: true, later: true });
    outside.interfere = async () => undefined;
    await world.retryNow();
    expect((await world.state(id)).entryBooked).toBe(true);
    expect(await world.sql('SELECT FROM settlement.unfinished')).toEqual([]);
  });
});
