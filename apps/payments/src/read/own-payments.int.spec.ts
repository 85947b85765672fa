import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clearPayments, paymentAuthorisation } from '@xs2a/contracts/payments.contract';
import {
  listOwnPayments,
  type OwnPaymentEvent,
  type OwnPaymentRow,
  readOwnTimeline,
} from '@xs2a/contracts/sandbox/own-payments.contract';
import { newId } from '@xs2a/runtime/ids';
import {
  bulkPayment,
  catchFailure,
  ivansAccount,
  type PaymentsWorld,
  periodicOrder,
  startPaymentsWorld,
} from '../testing/payments-world.js';
import { ownPaymentsSql } from './list-own-payments.handler.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const listAll = async (tppId: string, limit: number): Promise<OwnPaymentRow[][]> => {
  const pages: OwnPaymentRow[][] = [];
  for (let before: string | undefined; ;) {
    const { payments, next } = await world.ask(listOwnPayments, { tppId, limit, before });
    pages.push([...payments]);
    if (next === undefined) return pages;
    before = next;
  }
};

describe("a TPP's own payments (contract 13)", () => {
  it('are those of every payment service, newest first, as they are now', async () => {
    const tppId = newId();
    const today = world.payments.clock.date('Europe/Sofia');
    const single = await world.initiate({ tppId });
    const order = await world.initiate({ tppId, ...periodicOrder(3, today) });
    const bulk = await world.signed({ tppId, ...bulkPayment(['1.00', '2.50']) });
    const [payments = []] = await listAll(tppId, 50);
    const shown = { product: single.product, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) };
    const amount = (minor: number) => ({ minor, currency: 'BGN' });
    expect(payments).toEqual([
      {
        paymentId: bulk.paymentId,
        service: 'bulk-payments',
        transactionStatus: 'ACCP',
        amount: amount(350),
        ...shown,
        dueAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      {
        paymentId: order.paymentId,
        service: 'periodic-payments',
        transactionStatus: 'RCVD',
        amount: amount(1250),
        ...shown,
      },
      {
        paymentId: single.paymentId,
        service: 'payments',
        transactionStatus: 'RCVD',
        amount: amount(1250),
        ...shown,
      },
    ]);
  });

  it('have fundsAvailable once the bank knows whether the account covers them', async () => {
    const tppId = newId();
    const { paymentId } = await world.signed({ tppId });
    expect((await listAll(tppId, 50)).flat()[0]?.fundsAvailable).toBeUndefined();
    await world.record({ paymentId, step: 'funds-refused', reason: 'insufficient-funds' });
    expect((await listAll(tppId, 50)).flat()).toMatchObject([
      { paymentId, transactionStatus: 'ACCP', fundsAvailable: false },
    ]);
  });

  it('are listed in pages without a gap or a repeat, also if they were created at the same time', async () => {
    const tppId = newId();
    const created = await Promise.all(Array.from({ length: 7 }, async () => world.initiate({ tppId })));
    const ids = created.map(({ paymentId }) => paymentId);
    await world.sql('UPDATE payments.payment_view SET created_at = $1 WHERE stream_id = ANY ($2::uuid[])', [
      new Date(world.payments.clock.nowMs()),
      ids.slice(0, 5),
    ]);
    const pages = await listAll(tppId, 3);
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(
      pages
        .flat()
        .map(({ paymentId }) => paymentId)
        .sort(),
    ).toEqual(ids.sort());
    const times = pages.flat().map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('are never those of another TPP, nor those that the TPP cleared', async () => {
    const tppId = newId();
    await world.initiate({ tppId: newId() });
    await world.initiate({ tppId });
    expect((await listAll(tppId, 50)).flat()).toHaveLength(1);
    await world.ask(clearPayments, { tppId });
    expect(await listAll(tppId, 50)).toEqual([[]]);
  });

  it('are found only with a cursor of a page', async () => {
    for (const before of ['', 'x', newId(), `-1-${newId()}`, `${'9'.repeat(16)}-${newId()}`, '1-x'])
      expect(await catchFailure(world.ask(listOwnPayments, { tppId: 'tpp', limit: 1, before }))).toBe(
        'fieldMalformed',
      );
    const before = `${'9'.repeat(15)}-${newId()}`;
    const { payments } = await world.ask(listOwnPayments, { tppId: newId(), limit: 1, before });
    expect(payments).toEqual([]);
  });

  it('are read from an index in the order of their time, so that a page costs the same for any number of payments', async () => {
    const session = await world.session();
    try {
      await session.query('BEGIN; SET LOCAL search_path = payments');
      await session.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
      await session.query(`PREPARE page (text, timestamptz, uuid, int) AS ${ownPaymentsSql}`);
      const { rows } = await session.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (COSTS OFF) EXECUTE page ('tpp', now(), '${newId()}', 51)`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Presorted Key: created_at');
      expect(plan).toContain('Index Scan Backward using payment_of_tpp_by_day');
      expect(plan).toMatch(/Index Cond: \(\(tpp_id = .*created_at <= /);
    } finally {
      await session.query('ROLLBACK');
      session.release();
    }
  });
});

describe("the timeline of a TPP's own payment (contract 13)", () => {
  const timeline = async (tppId: string, paymentId: string) =>
    world.ask(readOwnTimeline, { tppId, paymentId });
  const single = { service: 'payments', product: 'domestic-credit-transfer-BGN' };
  const steps = ({ events }: { readonly events: readonly OwnPaymentEvent[] }) =>
    events.map(({ type, status }) => [type, status]);

  it('has its events, oldest first, with the status after each', async () => {
    const tppId = newId();
    const { paymentId, authorisationId } = await world.signed({ tppId });
    const read = await timeline(tppId, paymentId);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(read).toEqual({
      events: [
        { time, type: 'initiated', status: 'RCVD' },
        { time, type: 'accepted', status: 'ACCP', authorisationId },
        {
          time,
          type: 'signed',
          status: 'ACCP',
          authorisationId,
          executionDate: world.payments.clock.date('Europe/Sofia'),
          dueAt: time,
        },
      ],
      leftOut: 0,
      payment: single,
    });
  });

  it('has the number of an occurrence of an order', async () => {
    const tppId = newId();
    const today = world.payments.clock.date('Europe/Sofia');
    const { paymentId } = await world.signed({ tppId, ...periodicOrder(3, today) });
    const { events } = await timeline(tppId, paymentId);
    expect(events.at(-1)).toMatchObject({ type: 'transaction-planned', status: 'ACCP', number: 1 });
  });

  it('has the reason of a rejection', async () => {
    const tppId = newId();
    const { paymentId, authorisationId } = await world.initiate({ tppId });
    const refused = { paymentId, authorisationId, psuId: 'ivan', reason: 'psu-refused' as const };
    await world.ask(paymentAuthorisation.reject, refused);
    const read = await timeline(tppId, paymentId);
    expect(steps(read)).toEqual([
      ['initiated', 'RCVD'],
      ['rejected', 'RJCT'],
    ]);
    expect(read.events[1]).toMatchObject({ reason: 'psu-refused', authorisationId });
  });

  it('contains nothing of the PSU, and no step inside the bank', async () => {
    const tppId = newId();
    const today = world.payments.clock.date('Europe/Sofia');
    for (const changes of [{}, periodicOrder(3, today), bulkPayment(['1.00', '2.00'])]) {
      const { paymentId } = await world.signed({ tppId, ...changes });
      const read = await timeline(tppId, paymentId);
      const text = JSON.stringify(read);
      for (const secret of [
        ivansAccount,
        ivansAccount.slice(-4),
        'ivan',
        'Мария',
        'Фактура',
        'INV-1',
        '(hidden)',
      ])
        expect(text).not.toContain(secret);
      for (const { type } of read.events) expect(type).not.toMatch(/answered|booked/);
    }
  });

  it('is empty once the events are archived', async () => {
    const tppId = newId();
    const { paymentId } = await world.initiate({ tppId });
    await world.sql('DELETE FROM payments.events WHERE stream_id = $1', [paymentId]);
    expect(await timeline(tppId, paymentId)).toEqual({ events: [], leftOut: 0, payment: single });
  });

  it('is refused to another TPP, for a cleared payment and for an unknown one with the same failure', async () => {
    const tppId = newId();
    const { paymentId } = await world.initiate({ tppId });
    const failures = [await catchFailure(timeline(newId(), paymentId))];
    for (const id of [newId(), 'x', '']) failures.push(await catchFailure(timeline(tppId, id)));
    await world.ask(clearPayments, { tppId });
    failures.push(await catchFailure(timeline(tppId, paymentId)));
    expect(new Set(failures)).toEqual(new Set(['resourceUnknown']));
  });
});
