import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callRefusals } from '@xs2a/domain/failure/failed';
import type { Failure } from '@xs2a/domain/failure/failures';
import { evolvePayment } from '@xs2a/domain/payment/evolve-payment';
import { paymentEventTypes, paymentStateFields } from '@xs2a/domain/payment/payment-event-types';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { bgnOrder } from '@xs2a/domain/testing/signed-payment';
import { inlineViewDifferences, rebuildInlineView } from '@xs2a/event-store/projections/inline-view-rebuild';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { type FreshDatabase, freshDatabase } from '@xs2a/migrations/testing/fresh-database';
import { createLogger } from '@xs2a/observability/logger';
import { createPool } from '@xs2a/postgres/pool';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys, testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import type { Pool } from 'pg';
import { createPaymentStore, type PaymentStore } from '../store/payment-store.js';
import { paymentView } from '../store/payment-view.js';
import { migrations, schema } from './index.js';

let database: FreshDatabase;
let earlier: PaymentStore;
let later: PaymentStore;
/** Prepared statements of the two releases have the same names. */
let earlierPool: Pool;
const clock = new Clock(true);
const logger = createLogger('test', 'silent');

/** The store of release 0.1.0: its states lack the time of the POST, and its rows the columns that came later. */
const earlierStore = (): PaymentStore => {
  const {
    created_at: _at,
    amount_minor: _minor,
    currency: _currency,
    reason_code: _reason,
    awaited: _awaited,
    ...columns
  } = paymentView.columns;
  return new EventStore<PaymentEvent, PaymentState, Failure>({
    pool: earlierPool,
    evolve: (state, event, at) => {
      const { createdAt: _createdAt, ...next } = evolvePayment(state, event, at);
      return next as PaymentState;
    },
    stateVersion: 1,
    view: { ...paymentView, columns },
    clock,
    logger,
    eventTypes: paymentEventTypes,
    personalData: { masterKeys: testMasterKeys, ofState: paymentStateFields },
    refusals: callRefusals,
    hashKeys: testHashKeys,
  });
};
const migrateTo = async (count: number): Promise<unknown> =>
  runMigrations({ url: database.ownerUrl, schema, migrations: migrations.slice(0, count) });

beforeAll(async () => {
  database = await freshDatabase(schema);
  await migrateTo(1);
  earlierPool = createPool({ url: database.url, name: 'earlier' });
  earlier = earlierStore();
  later = createPaymentStore(database.pool, clock, logger, { MASTER_KEYS: testMasterKeys });
}, 60_000);
afterAll(async () => {
  await earlierPool.end();
  await database.close();
});

/** Begins a payment a minute after the one before, and returns its id and the time of its POST. */
const begin = async (store: PaymentStore): Promise<{ readonly paymentId: string; readonly at: Date }> => {
  clock.raiseTo(clock.offsetMs + 60_000);
  const paymentId = newId();
  const data = {
    paymentId,
    tppId: 'tpp',
    product: 'domestic-credit-transfer-BGN',
    paymentType: 'DOMESTIC',
    body: {},
    order: bgnOrder('BG25XSBK92001000000001', 1250, 'BG80BNBG96611020345678'),
    signaturesRequired: 1,
    authorisationId: 'a',
    redirectUris: {},
    expiresAt: clock.now(),
  } as const;
  await store.append({ streamId: paymentId, events: [{ type: 'initiated', data }], actor: 'tpp' });
  const [first] = await store.history(paymentId);
  return { paymentId, at: new Date(first?.occurredAt ?? '') };
};
const append = async (store: PaymentStore, paymentId: string, event: PaymentEvent): Promise<void> => {
  clock.raiseTo(clock.offsetMs + 60_000);
  await store.change(paymentId, () => ({ events: [event] }), { actor: 'psu' });
};
const accepted: PaymentEvent = { type: 'accepted', data: { authorisationId: 'a', psuId: 'ivan' } };
const cancelled: PaymentEvent = { type: 'cancelled', data: { tppId: 'tpp' } };
const rowOf = async (paymentId: string): Promise<unknown> =>
  (
    await database.owner.query(
      'SELECT created_at, amount_minor, currency FROM payment_view WHERE stream_id = $1',
      [paymentId],
    )
  ).rows[0];

describe('the columns of a search while two releases run side by side (ADR 41)', () => {
  it('are filled by each append of this release, kept by those of the earlier one, and filled everywhere by a rebuild', async () => {
    const [old, untouched] = [await begin(earlier), await begin(earlier)];
    expect(await migrateTo(migrations.length)).toHaveLength(migrations.length - 1);
    const during = await begin(earlier);
    const empty = { created_at: null, amount_minor: null, currency: null };
    for (const { paymentId } of [old, untouched, during]) expect(await rowOf(paymentId)).toEqual(empty);

    const filled = ({ at }: { readonly at: Date }) => ({
      created_at: at,
      amount_minor: 1250,
      currency: 'BGN',
    });
    await append(later, old.paymentId, accepted);
    expect(await rowOf(old.paymentId)).toEqual(filled(old));
    await append(earlier, old.paymentId, cancelled);
    expect(await rowOf(old.paymentId)).toEqual(filled(old));
    expect((await later.load(old.paymentId))?.state).toMatchObject({
      status: 'CANC',
      createdAt: old.at.toISOString(),
    });

    expect((await rebuildInlineView(database.owner, later)).left).toEqual([]);
    for (const one of [old, untouched, during]) expect(await rowOf(one.paymentId)).toEqual(filled(one));
    expect(await inlineViewDifferences(database.owner, later)).toEqual([]);
    expect((await earlier.load(untouched.paymentId))?.state).toMatchObject({ status: 'RCVD' });
  });
});
