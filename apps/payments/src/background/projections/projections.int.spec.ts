import { resources } from '@xs2a/resources/resources';
import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as contract from '@xs2a/contracts/payments.contract';
import { basketEventTypes } from '@xs2a/domain/basket/basket-event-types';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { happened } from '@xs2a/domain/decision';
import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import { paymentEvents } from '@xs2a/domain/testing/data/event-lists';
import { bringForward } from '@xs2a/domain/payment/settlement/bring-forward';
import { inlineViewDifferences } from '@xs2a/event-store/projections/inline-view-rebuild';
import { listProjections } from '@xs2a/event-store/projections/checkpoints';
import { projectionDifferences, rebuildProjection } from '@xs2a/event-store/projections/rebuild';
import { publishedEvents } from '@xs2a/event-store/verification/published-copy';
import { eventSchemas } from '@xs2a/contracts/testing/event-schemas';
import { verifyStreams } from '@xs2a/event-store/verification/verify-events';
import { eventStoreViolations } from '@xs2a/event-store/verification/violations';
import { until } from '@xs2a/nats/testing/until';
import { createLogger } from '@xs2a/observability/logger';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import { createPaymentStore, type PaymentStore } from '../../store/payment-store.js';
import { paymentProjections } from './payment-projections.js';
import { paymentVolumeDaily } from './payment-volume-daily.projection.js';
import { liveBaskets } from '../../testing/basket-walks.js';
import {
  bulkPayment,
  type PaymentsWorld,
  periodicOrder,
  startPaymentsWorld,
} from '../../testing/payments-world.js';

let world: PaymentsWorld;
let owner: Pool;
let pool: Pool;
let store: PaymentStore;
/** The ids of the payments in this file, by outcome. */
const ids: Record<'settled' | 'cancelled' | 'unfunded' | 'rejected', string> = {
  settled: '',
  cancelled: '',
  unfunded: '',
  rejected: '',
};
const timeZone = 'Europe/Sofia';
const projections = paymentProjections(timeZone);

beforeAll(async () => {
  world = await startPaymentsWorld();
  const url = new URL(world.ownerUrl);
  url.searchParams.set('options', '-c search_path=payments');
  owner = createPool({ url: url.href, name: 'owner', max: 4 });
  if (world.payments.pool === undefined) throw new Error('payments has no pool');
  pool = world.payments.pool;
  store = createPaymentStore(pool, world.payments.clock, createLogger('test', 'silent'), {
    MASTER_KEYS: testMasterKeys,
  });
  const record = async (records: readonly contract.SettlementRecord[]): Promise<void> => {
    const { results } = await world.ask(contract.recordSettlement, { records });
    expect(results.every(({ recorded }) => recorded)).toBe(true);
  };
  const [settled, cancelled, unfunded] = [await world.signed(), await world.initiate(), await world.signed()];
  const rejected = await world.initiate({ tppId: 'other-tpp', psuId: 'ivan' });
  const { paymentId } = settled;
  await record([{ paymentId, step: 'settlement-started', holdId: newId(), transactionId: 't' }]);
  await record([{ paymentId, step: 'settled', postingId: newId() }]);
  await record([{ paymentId, step: 'entry-booked' }]);
  await record([{ paymentId: unfunded.paymentId, step: 'funds-refused', reason: 'insufficient-funds' }]);
  await world.ask(contract.cancelPayment, { ...cancelled, idempotencyKey: 'k' });
  await world.ask(contract.paymentAuthorisation.reject, {
    ...rejected,
    psuId: 'ivan',
    reason: 'psu-refused',
  });
  ids.settled = settled.paymentId;
  ids.cancelled = cancelled.paymentId;
  ids.unfunded = unfunded.paymentId;
  ids.rejected = rejected.paymentId;
}, 60_000);
afterAll(async () => {
  await owner.end();
  await world.stop();
});

/** Settles two occurrences or entries: the first is paid, and the second lacks funds. */
const payOnceAndSkipOnce = async ({ paymentId }: contract.PaymentRef): Promise<void> => {
  const [first, second] = [1, 2].map((number) => world.part(paymentId, number));
  if (first === undefined || second === undefined) throw new Error('two parts');
  await world.record(
    { ...first, step: 'settlement-started', holdId: 'h', transactionId: 't' },
    { ...first, step: 'settled', postingId: 'p' },
    { ...second, step: 'funds-refused', reason: 'insufficient-funds' },
  );
};

/** Waits until the projections contain everything committed so far. */
const caughtUp = async (): Promise<void> =>
  until(async () => {
    expect((await pool.query('SELECT FROM unsequenced LIMIT 1')).rowCount).toBe(0);
    expect((await listProjections(pool)).filter(({ behind }) => behind > 0)).toEqual([]);
  });
const rebuild = (projection: (typeof projections)[number]) => ({
  pool: owner,
  projection,
  types: resources.payments.types,
});

describe('projections of payments', () => {
  it('count payments and their value by day, product and outcome', async () => {
    await caughtUp();
    const { rows } = await pool.query(
      'SELECT day, product, currency, outcome, payments, minor FROM payment_volume_daily ORDER BY outcome',
    );
    const line = (outcome: string, payments: number) => ({
      day: world.payments.clock.date(timeZone),
      product: 'domestic-credit-transfer-BGN',
      currency: 'BGN',
      outcome,
      payments,
      minor: String(payments * 1250),
    });
    expect(rows).toEqual([
      line('cancelled', 1),
      line('initiated', 4),
      line('rejected', 1),
      line('settled', 1),
      line('signed', 2),
      line('unfunded', 1),
    ]);
  });

  it('are exact even for the largest amounts that TPPs can request, however the events are batched', async () => {
    const volume = paymentVolumeDaily(timeZone);
    const [minor, count] = [Number.MAX_SAFE_INTEGER, 601];
    const data = { product: 'domestic-credit-transfer-BGN', order: { amount: { minor, currency: 'BGN' } } };
    const batch = Array.from({ length: count }, (_event, index) => {
      const at = {
        pos: index + 1,
        streamId: newId(),
        version: 1,
        atMs: world.payments.clock.nowMs(),
      };
      return { ...at, type: 'initiated', data };
    });
    const client = await owner.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        `CREATE TABLE largest (month text, ${volume.columns}, PRIMARY KEY (month, ${volume.key.join(', ')}))`,
      );
      for (const _batch of [1, 2]) {
        await volume.apply(client, { table: 'largest', month: '2026-11' }, batch, {
          firstEvents: async () => new Map(),
          eventsOfType: async () => new Map(),
        });
      }
      const { rows } = await client.query('SELECT payments, minor FROM largest');
      expect(rows).toEqual([{ payments: 2 * count, minor: String(BigInt(minor) * BigInt(2 * count)) }]);
    } finally {
      client.release(true);
    }
  });

  it('count a payment in euro after its conversion from leva (contract E6.3)', async () => {
    const { paymentId } = await world.signed();
    const amounts = [{ amount: { minor: 639, currency: 'EUR' } }];
    const data = { at: '2025-12-31T22:00:00.000Z', amounts };
    await store.change(paymentId, () => happened({ type: 'converted-to-euro', data }), {
      actor: 'euro-switch',
    });
    const refused = { paymentId, step: 'funds-refused', reason: 'insufficient-funds' } as const;
    await world.ask(contract.recordSettlement, { records: [refused] });
    await caughtUp();
    const { rows } = await pool.query(
      "SELECT outcome, payments, minor FROM payment_volume_daily WHERE currency = 'EUR'",
    );
    expect(rows).toEqual([{ outcome: 'unfunded', payments: 1, minor: '639' }]);
  });

  it.each(projections.map((one): [string, typeof one] => [one.name, one]))(
    'have the same rows when rebuilt from the events: %s (quality, invariant 5)',
    async (_name, projection) => {
      await liveBaskets(world);
      await caughtUp();
      expect(await projectionDifferences(rebuild(projection))).toBe(0);
      expect(await rebuildProjection(rebuild(projection))).toMatchObject({ kept: [] });
      await world.initiate();
      await caughtUp();
      expect(await projectionDifferences(rebuild(projection))).toBe(0);
    },
  );

  it('belong to the schema owner: the service can neither drop nor create their tables', async () => {
    await expect(pool.query('CREATE TABLE strange (id int)')).rejects.toMatchObject({ code: '42501' });
    await expect(pool.query('UPDATE projection SET version = 9')).rejects.toMatchObject({ code: '42501' });
  });
});

/** The types of events of a bank in euro, which this world, of a bank in leva, cannot bring about. */
const onlyInEuro: ReadonlySet<string> = new Set<PaymentEvent['type']>([
  'converted-to-euro',
  'instant-answered',
  'instant-answered-late',
  'instant-rejected',
  'payee-verified',
  'transaction-answered',
  'transaction-rejected',
]);

/** Appends the fixed lists of events that contain one of the types, each as a stream. */
const appendFoldedLists = async (types: ReadonlySet<string>): Promise<void> => {
  for (const events of Object.values(paymentEvents).filter((list) =>
    list.some(({ type }) => types.has(type)),
  ))
    await store.append({ streamId: newId(), events, actor: 'system' });
};

describe('published payments (docs/events; architecture, Event store 7)', () => {
  it('match the documentation for every event type', async () => {
    const georgi = await world.identified(await world.initiateForSeveral(), 'georgi');
    await world.ask(contract.paymentAuthorisation.sign, georgi);
    await payOnceAndSkipOnce(await world.signed(periodicOrder(2, world.payments.clock.date(timeZone))));
    await payOnceAndSkipOnce(await world.signed(bulkPayment(['1.00', '2.00'])));
    const { paymentId } = await world.signed();
    const longAgo = '2020-01-01T00:00:00.000Z';
    await store.change(paymentId, (state) => bringForward(state, { now: longAgo }), { actor: 'tpp' });
    await liveBaskets(world);
    await appendFoldedLists(onlyInEuro);
    const findProblems = eventSchemas();
    await until(async () => {
      const seen = new Set<string>();
      for await (const { event } of publishedEvents(world.payments.nats, 'payments')) {
        expect(findProblems(event)).toEqual([]);
        seen.add(event.type);
      }
      expect([...seen].sort()).toEqual(
        Object.keys({ ...paymentEventTypes, ...basketEventTypes })
          .map((type) => `xs2a.payments.${type}`)
          .sort(),
      );
    });
  });
});

describe('the invariants of payments (quality, Reliability 4 to 6)', () => {
  const violations = async (): Promise<string[]> =>
    (
      await eventStoreViolations(pool, resources.payments, { nats: world.payments.nats, stores: [store] })
    ).map(({ invariant, text }) => `${invariant}: ${text}`);
  const remember = async (): Promise<void> => {
    for (const table of ['events', 'log', 'payment_view']) {
      await world.sql(`DROP TABLE IF EXISTS payments.kept_${table}`);
      await world.sql(`CREATE TABLE payments.kept_${table} AS TABLE payments.${table}`);
    }
  };
  const restore = async (): Promise<void> => {
    for (const table of ['events', 'log', 'payment_view']) {
      await world.sql(`DELETE FROM payments.${table}`);
      await world.sql(`INSERT INTO payments.${table} SELECT * FROM payments.kept_${table}`);
    }
  };

  it('hold', async () => {
    expect(await violations()).toEqual([]);
    expect(
      await verifyStreams(pool, { resource: resources.payments, nats: world.payments.nats }),
    ).toMatchObject({
      findings: [],
    });
    expect(await inlineViewDifferences(pool, store)).toEqual([]);
    expect(await eventStoreViolations(pool, resources.payments)).toEqual([]);
  });

  it.each([
    [
      4,
      'a missing event',
      () => ['DELETE FROM payments.events WHERE stream_id = $1 AND version = 2', [ids.settled]],
      'The event appended as version 2 is gone.',
    ],
    [
      4,
      'a duplicated event',
      () => [
        'UPDATE payments.events SET event_id = (SELECT min(event_id::text)::uuid FROM payments.events) WHERE stream_id = $1',
        [ids.settled],
      ],
      'occurs more than once',
    ],
    [
      4,
      'a hole in the log',
      () => ['DELETE FROM payments.log WHERE pos = 3', []],
      'position 3: The log has no such position.',
    ],
    [
      4,
      'a different event than the published one',
      () => [
        `UPDATE payments.events SET data = '{"reason": "x"}' WHERE stream_id = $1 AND version = 4`,
        [ids.unfunded],
      ],
      'The published event has different content.',
    ],
    [
      5,
      'a status view that differs',
      () => ["UPDATE payments.payment_view SET status = 'RCVD' WHERE stream_id = $1", [ids.settled]],
      'differs from its events in status',
    ],
    [
      6,
      'a transition that the lifecycle does not have',
      () => [
        "UPDATE payments.events SET type = 'settled' WHERE stream_id = $1 AND version = 2",
        [ids.cancelled],
      ],
      'settled cannot happen when RCVD',
    ],
  ] as [4 | 5 | 6, string, () => [string, unknown[]], string][])(
    '(%i) detect %s',
    async (invariant, _title, manipulation, text) => {
      await remember();
      await world.sql(...manipulation());
      const found = await violations();
      await restore();
      expect(found.filter((one) => one.startsWith(`${invariant}: `) && one.includes(text))).not.toEqual([]);
      expect(await violations()).toEqual([]);
    },
  );
});
