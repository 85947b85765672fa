import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { basketAuthorisation } from '@xs2a/contracts/baskets.contract';
import {
  listWaitingPayments,
  type WaitingApproval,
} from '@xs2a/contracts/console/waiting-approvals.contract';
import { paymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { createPool } from '@xs2a/postgres/pool';
import { waitingStatement } from '@xs2a/resources/waiting';
import { newId } from '@xs2a/runtime/ids';
import { basketRows, paymentRows } from './list-waiting.handler.js';
import { createdBasket } from '../testing/basket-walks.js';
import {
  bulkPayment,
  type PaymentsWorld,
  periodicOrder,
  startPaymentsWorld,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const waiting = async (psuId: string): Promise<readonly WaitingApproval[]> =>
  (await world.ask(listWaitingPayments, { psuId })).approvals;
const idsFor = async (psuId: string): Promise<string[]> => (await waiting(psuId)).map(({ id }) => id);

describe('the list of payments and baskets that wait for the approval of a PSU', () => {
  it('contains payments that a TPP created with the PSU-ID or for which the PSU has signed in, without personal data', async () => {
    const psuId = `psu-${newId()}`;
    const named = await world.initiate({ psuId });
    const bulk = await world.initiate({ psuId, ...bulkPayment(['1.00', '2.00']) });
    const today = world.payments.clock.date('Europe/Sofia');
    const order = await world.initiate({ psuId, ...periodicOrder(3, today) });
    const found = await waiting(psuId);
    expect(found).toEqual([
      expect.objectContaining({ kind: 'periodic order', id: order.paymentId }),
      expect.objectContaining({ kind: 'bulk payment', id: bulk.paymentId }),
      {
        kind: 'payment',
        id: named.paymentId,
        tppId: 'tpp',
        createdAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
        scaStatus: 'received',
        signatures: { given: 0, required: 1 },
      },
    ]);
    expect(JSON.stringify(found)).not.toContain('Мария');
    const before = new Set(await idsFor('ivan'));
    const { paymentId, authorisationId } = await world.initiate();
    expect(await idsFor('ivan')).toHaveLength(before.size);
    await world.ask(paymentAuthorisation.identify, { paymentId, authorisationId, psuId: 'ivan' });
    expect((await waiting('ivan')).filter(({ id }) => !before.has(id))).toMatchObject([
      { id: paymentId, scaStatus: 'psuIdentified' },
    ]);
    await world.ask(paymentAuthorisation.sign, { paymentId, authorisationId, psuId: 'ivan' });
    expect(await idsFor('ivan')).not.toContain(paymentId);
  });

  it('contains a payment with several signers until this signer has signed it', async () => {
    const payment = await world.initiateForSeveral();
    const [one, other] = [
      await world.identified(payment, 'georgi'),
      await world.identified(payment, 'elena'),
    ];
    await world.ask(paymentAuthorisation.sign, one);
    expect(await idsFor('georgi')).not.toContain(payment.paymentId);
    expect(await waiting('elena')).toMatchObject([
      { id: payment.paymentId, signatures: { given: 1, required: 2 } },
    ]);
    await world.ask(paymentAuthorisation.sign, other);
    expect(await waiting('elena')).toEqual([]);
  });

  it('contains a signing basket instead of the payments in it', async () => {
    const { paymentId } = await world.initiate();
    const { basketId, authorisationId = '' } = await createdBasket(world, [paymentId]);
    await world.ask(basketAuthorisation.identify, { basketId, authorisationId, psuId: 'ivan' });
    const found = await waiting('ivan');
    expect(found).toContainEqual(expect.objectContaining({ kind: 'signing basket', id: basketId }));
    expect(found.map(({ id }) => id)).not.toContain(paymentId);
  });

  it('excludes a payment whose authorisation has expired', async () => {
    const psuId = `psu-${newId()}`;
    await world.initiate({ psuId });
    const [found] = await waiting(psuId);
    const { clock } = world.payments;
    clock.raiseTo(clock.offsetMs + Date.parse(found?.expiresAt ?? '') - clock.nowMs());
    expect(await waiting(psuId)).toEqual([]);
  });

  it.each([paymentRows, basketRows])(
    'comes from the index of the waiting rows of $view under the connection settings of the payments service',
    async (read) => {
      const url = new URL(world.ownerUrl);
      url.searchParams.set('options', '-c search_path=payments');
      const pool = createPool({ url: url.href, name: 'owner', max: 1, byKey: true });
      try {
        await pool.query(`PREPARE waiting (text, int) AS ${waitingStatement(read)}`);
        const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN (COSTS OFF) EXECUTE waiting ('ivan', 101)`,
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toContain(`Index Scan Backward using ${read.view.replace('_view', '_awaited')}`);
        // The state of a payment contains the time of its POST, so only the statement for baskets reads the first event of a stream.
        expect(plan.includes('_pkey on events_')).toBe(read !== paymentRows);
        expect(plan).not.toMatch(/Seq Scan on \w+_view|Bitmap|Sort/);
      } finally {
        await pool.end();
      }
    },
  );
});
