import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callContext } from '@xs2a/calls/context';
import * as contract from '@xs2a/contracts/payments.contract';
import { createHash } from 'node:crypto';
import {
  ivansAccount,
  periodicOrder,
  startPaymentsWorld,
  type PaymentsWorld,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const due = async (limit = 1000) => (await world.ask(contract.readDuePayments, { limit })).payments;
const states = async (paymentId: string) =>
  (await world.ask(contract.readSettlementStates, { payments: [{ paymentId }] })).payments;
const later = (seconds: number): void => {
  for (const { clock } of [world.payments, world.second]) clock.raiseTo(clock.offsetMs + seconds * 1000);
};
const record = async (...records: readonly contract.SettlementRecord[]): Promise<void> => {
  await world.ask(contract.recordSettlement, { records });
};

describe('payments due for settlement or booking (contract 8)', () => {
  it('are returned with their next step, from one minute after the signature until the entry is booked', async () => {
    const { paymentId } = await world.signed();
    expect(await due()).toEqual([]);
    expect(await states(paymentId)).toEqual([{ paymentId, ended: false, due: false }]);
    later(61);
    expect(await states(paymentId)).toMatchObject([{ due: true }]);
    expect(await due()).toMatchObject([{ paymentId, transactionStatus: 'ACCP' }]);
    await record({ paymentId, step: 'settlement-started', holdId: 'h', transactionId: 't' });
    expect(await due()).toMatchObject([{ paymentId, transactionStatus: 'ACSP' }]);
    await record({ paymentId, step: 'settled', postingId: 'p' });
    expect(await due()).toEqual([]);
    later(301);
    expect(await due()).toMatchObject([{ paymentId, transactionStatus: 'ACSC' }]);
    await record({ paymentId, step: 'entry-booked' });
    expect(await due()).toEqual([]);
  });

  it('belong to the trace of the event that made them due, unless it is older than ten minutes (ADR 76)', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const { paymentId } = await callContext.run({ requestId: 'r', traceparent }, async () => world.signed());
    later(61);
    expect(await due()).toMatchObject([{ paymentId, traceparent }]);
    const lanes = { limit: 10, ahead: { except: [] } };
    expect((await world.ask(contract.readDuePayments, lanes)).payments).toMatchObject([{ traceparent }]);
    later(600);
    const [old] = await due();
    expect(old?.paymentId).toBe(paymentId);
    expect(old?.traceparent).toBeUndefined();
    await record({ paymentId, step: 'funds-refused', reason: 'insufficient-funds' });
  });

  it('do not include unsigned, cancelled or unfunded payments, even if the index lists them', async () => {
    const unsigned = await world.initiate();
    const [cancelled, refused] = [await world.signed(), await world.signed()];
    await world.ask(contract.cancelPayment, cancelled);
    await record({ paymentId: refused.paymentId, step: 'funds-refused', reason: 'insufficient-funds' });
    later(61);
    await world.sql('UPDATE payments.payment_view SET due_at = now() WHERE stream_id = $1', [
      unsigned.paymentId,
    ]);
    expect(await due()).toEqual([]);
  });

  it('are returned in order, in pages that fit into one message', async () => {
    const signed = [];
    for (let index = 0; index < 5; index += 1) signed.push((await world.signed()).paymentId);
    later(61);
    const order = (await due()).map(({ paymentId }) => paymentId);
    expect(order.toSorted()).toEqual(signed.toSorted());
    const paged: string[] = [];
    for (let after: contract.DuePlace | undefined, more = true; more;) {
      const page = await world.ask(contract.readDuePayments, { after, limit: 2 });
      paged.push(...page.payments.map(({ paymentId }) => paymentId));
      after = page.next;
      more = after !== undefined;
    }
    expect(paged).toEqual(order);
    await world.sql(
      `UPDATE payments.payment_view SET state = jsonb_set(state::jsonb, '{order,rate}', to_jsonb(repeat('x', 250000)))
       WHERE stream_id = ANY($1::uuid[])`,
      [signed],
    );
    const bounded = await world.ask(contract.readDuePayments, { limit: 1000 });
    expect(bounded.payments).toHaveLength(3);
    expect(bounded.next?.paymentId).toBe(order[2]);
  });

  it('continue on the next page after a payment that this release cannot read', async () => {
    await world.sql('UPDATE payments.payment_view SET due_at = NULL');
    const ids = [(await world.signed()).paymentId, (await world.signed()).paymentId];
    later(61);
    const [first, second] = (await due()).map(({ paymentId }) => paymentId);
    expect([first, second].toSorted()).toEqual(ids.toSorted());
    await world.sql(
      `UPDATE payments.payment_view SET state = jsonb_set(state::jsonb, '{$state}', '[999, 1]') WHERE stream_id = $1`,
      [first],
    );
    await world.sql("UPDATE payments.events SET type = 'of-tomorrow' WHERE stream_id = $1 AND version > 1", [
      first,
    ]);
    const page = await world.ask(contract.readDuePayments, { limit: 1 });
    expect(page.payments).toEqual([]);
    const { payments } = await world.ask(contract.readDuePayments, { limit: 1, after: page.next });
    expect(payments.map(({ paymentId }) => paymentId)).toEqual([second]);
  });

  it('are returned ahead of 6,000 payments of ten other accounts, oldest first within each account, lane by lane (contract 9)', async () => {
    await world.sql('UPDATE payments.payment_view SET due_at = NULL');
    const immediate = (await world.signed()).paymentId;
    later(61);
    // Ten accounts with 600 overdue payments each. No instance can read their states, so they are recognised
    // by their lanes.
    await world.sql(`INSERT INTO payments.payment_view (stream_id, version, last_hash, state, tpp_id, service, product, status, due_at, due_lane)
      SELECT gen_random_uuid(), 1, '', '{}', 'tpp', 'payments', 'p', 'ACCP', '2020-01-01'::timestamptz + number * interval '1 day', 70000 + account
      FROM generate_series(1, 10) account, generate_series(1, 600) number`);
    const first = await world.ask(contract.readDuePayments, { limit: 800 });
    expect(first.next).toBeDefined();
    expect(first.payments).toEqual([]);
    expect(first.lanes?.toSorted()).toEqual(Array.from({ length: 10 }, (_one, index) => 70_001 + index));
    const ahead = await world.ask(contract.readDuePayments, {
      limit: 800,
      ahead: { except: first.lanes ?? [] },
    });
    expect(ahead.payments.map(({ paymentId }) => paymentId)).toEqual([immediate]);
    const [own] = ahead.lanes ?? [];
    const behind = { limit: 800, ahead: { after: own, except: [] } };
    const others = await world.ask(contract.readDuePayments, behind);
    expect(others).toMatchObject({ lanes: first.lanes?.toSorted(), nextLane: 70_010 });
    const end = await world.ask(contract.readDuePayments, {
      limit: 800,
      ahead: { after: 70_010, except: [] },
    });
    expect(end).toMatchObject({ payments: [] });
    expect(end.nextLane).toBeUndefined();
    await world.sql('DELETE FROM payments.payment_view WHERE due_lane > 65535');
  });

  it('are in a lane as long as there is work to do for them, with one lane per account', async () => {
    const [one, other, order] = [
      await world.signed(),
      await world.signed(),
      await world.signed(periodicOrder(3, world.payments.clock.date('Europe/Sofia'))),
    ];
    const unsigned = await world.initiate();
    await world.ask(contract.cancelPayment, other);
    const lanes = await world.sql(
      'SELECT stream_id AS id, due_lane::int AS lane FROM payments.payment_view WHERE stream_id = ANY($1::uuid[])',
      [[one, other, order, unsigned].map(({ paymentId }) => paymentId)],
    );
    const laneOf = ({ paymentId }: { readonly paymentId: string }) =>
      lanes.find(({ id }) => id === paymentId)?.['lane'];
    expect(laneOf(one)).toEqual(expect.any(Number));
    expect(laneOf(order)).toBe(laneOf(one));
    expect([laneOf(other), laneOf(unsigned)]).toEqual([null, null]);
    // With an unkeyed hash, a guess of the account could be confirmed after the customer's data was erased.
    expect(laneOf(one)).not.toBe(createHash('sha256').update(ivansAccount).digest().readUInt16BE());
  });
});
