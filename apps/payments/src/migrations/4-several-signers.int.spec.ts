import { testHashKeys, testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { paymentEventTypes, personalOfPayment } from '@xs2a/domain/payment/payment-event-types';
import { evolvePayment, paymentStateVersion } from '@xs2a/domain/payment/evolve-payment';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import { inlineViewDifferences } from '@xs2a/event-store/projections/inline-view-rebuild';
import { type OldRelease, oldRelease } from '@xs2a/migrations/testing/old-release';
import { createLogger } from '@xs2a/observability/logger';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { paymentView } from '../store/payment-view.js';
import { migrations, schema } from './index.js';

let old: OldRelease;
beforeAll(async () => {
  old = await oldRelease(schema);
}, 60_000);
afterAll(async () => old.close());

const at = '2026-11-20T10:00:00.000Z';
const order = { debtorIban: 'BG25XSBK92001000000001', amount: { minor: 1, currency: 'BGN' } };
const execution = { executionDate: '2026-11-20', dueAt: at };

/** A payment as it was stored when one person signed every payment: events of version 1, and its row. */
const storeOld = async (
  named: string | undefined,
  end: 'received' | 'signed' | 'rejected',
): Promise<void> => {
  const paymentId = newId();
  const authorisationId = newId();
  const who = named === undefined ? {} : { psuId: named };
  const initiated = {
    paymentId,
    tppId: 'tpp',
    product: 'domestic-credit-transfer-BGN',
    paymentType: 'DOMESTIC',
    body: {},
    order,
    redirectUris: {},
    expiresAt: at,
  };
  const psu = { authorisationId, psuId: 'ivan' };
  const last: Readonly<Record<typeof end, [string, object][]>> = {
    received: [],
    signed: [
      ['accepted', psu],
      ['signed', { ...psu, signedAt: at, ...execution, order }],
    ],
    rejected: [['rejected', { ...psu, reason: 'psu-refused' }]],
  };
  const events: [string, object][] = [['initiated', { ...initiated, ...who, authorisationId }], ...last[end]];
  const state = {
    ...initiated,
    ...(named === undefined ? {} : { namedPsuId: named }),
    entryBooked: false,
    ...{
      received: { status: 'RCVD', authorisation: { authorisationId, scaStatus: 'received' } },
      signed: {
        status: 'ACCP',
        authorisation: { ...psu, scaStatus: 'finalised' },
        signed: { signedAt: at, ...execution },
      },
      rejected: {
        status: 'RJCT',
        authorisation: { ...psu, scaStatus: 'failed' },
        rejectionReason: 'psu-refused',
      },
    }[end],
  };
  await old.storeEvents(paymentId, events, at);
  await old.owner.query(
    `INSERT INTO payments.payment_view
       (stream_id, version, state, tpp_id, product, status, rejection_reason, psu_id, unsigned_until, signed_at)
     VALUES ($1, $2, $3, 'tpp', 'domestic-credit-transfer-BGN', $4, $5, $6, $7, $8)`,
    [
      paymentId,
      events.length,
      JSON.stringify(state),
      state.status,
      end === 'rejected' ? 'psu-refused' : null,
      end === 'received' ? null : 'ivan',
      end === 'received' ? at : null,
      end === 'signed' ? at : null,
    ],
  );
};

describe('payments stored before several persons could sign one', () => {
  it('have the status view that their events fold into, after the migration', async () => {
    await runMigrations({ url: old.ownerUrl, schema, migrations: migrations.slice(0, 3) });
    for (const named of [undefined, 'ivan'])
      for (const end of ['received', 'signed', 'rejected'] as const) await storeOld(named, end);
    await runMigrations({ url: old.ownerUrl, schema, migrations });
    const store = new EventStore<PaymentEvent, PaymentState>({
      pool: old.pool,
      resource: 'payments',
      evolve: evolvePayment,
      stateVersion: paymentStateVersion,
      view: paymentView,
      clock: new Clock(true),
      logger: createLogger('test', 'silent'),
      eventTypes: paymentEventTypes,
      personalData: { masterKeys: testMasterKeys, ofState: personalOfPayment },
      hashKeys: testHashKeys,
    });
    expect(await inlineViewDifferences(old.pool, store)).toEqual([]);
    const { rows } = await old.owner.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM payments.payment_view WHERE state->>'signaturesRequired' = '1'`,
    );
    expect(rows).toEqual([{ count: 6 }]);
  });
});
