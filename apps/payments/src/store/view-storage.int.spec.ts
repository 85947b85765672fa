// Lane: long (it takes half a minute).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/nats/testing/until';
import { newId } from '@xs2a/runtime/ids';
import { type PaymentsWorld, startPaymentsWorld } from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const payments = 50;

/** Returns the columns that the status view's indexes depend on, including those in index conditions. */
const indexedColumns = async (): Promise<string[]> => {
  const rows = await world.sql(
    `SELECT DISTINCT a.attname AS name FROM pg_index i JOIN pg_depend d ON d.objid = i.indexrelid
     JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
     WHERE i.indrelid = 'payments.payment_view'::regclass ORDER BY name`,
  );
  return rows.map(({ name }) => String(name));
};
const readRow = async (paymentId: string): Promise<Record<string, unknown> | undefined> =>
  (await world.sql('SELECT * FROM payments.payment_view WHERE stream_id = $1', [paymentId]))[0];

/** Returns the number of updates to the status view so far, and how many of them were heap-only. */
const counts = async (): Promise<{ readonly updates: number; readonly hot: number }> => {
  const [row] = await world.sql(
    `SELECT n_tup_upd::int AS updates, n_tup_hot_upd::int AS hot FROM pg_stat_all_tables
     WHERE relid = 'payments.payment_view'::regclass`,
  );
  return { updates: Number(row?.['updates']), hot: Number(row?.['hot']) };
};
/** Waits until the sessions have reported this many more updates, which takes them about a second. */
const updatesSince = async (earlier: number, more: number): Promise<void> =>
  until(async () => expect((await counts()).updates).toBeGreaterThanOrEqual(earlier + more));

describe('the status view on disk (ADR 65)', () => {
  it('changes no indexed column when a payment is held, so that the new row version needs no index entry', async () => {
    const { paymentId } = await world.signed();
    const before = await readRow(paymentId);
    await world.record({ paymentId, step: 'settlement-started', holdId: newId(), transactionId: 't' });
    const after = await readRow(paymentId);
    expect([before?.['status'], after?.['status']]).toEqual(['ACCP', 'ACSP']);
    const indexed = await indexedColumns();
    expect(indexed).toContain('due_at');
    for (const column of indexed) expect([column, after?.[column]]).toEqual([column, before?.[column]]);
  });

  it('keeps the new row version of a held payment on the same page', async () => {
    const earlier = (await counts()).updates;
    const signed: string[] = [];
    // Signs ten at a time, because a busy machine could not answer all calls in time at once.
    while (signed.length < payments) {
      const some = await Promise.all(Array.from({ length: 10 }, async () => world.signed()));
      signed.push(...some.map(({ paymentId }) => paymentId));
    }
    await updatesSince(earlier, 2 * payments);
    await world.sql('VACUUM payments.payment_view');
    const before = await counts();
    const held = { step: 'settlement-started', holdId: newId(), transactionId: 't' } as const;
    await world.record(...signed.map((paymentId) => ({ paymentId, ...held })));
    await updatesSince(before.updates, payments);
    const after = await counts();
    const share = (after.hot - before.hot) / (after.updates - before.updates);
    expect(share).toBeGreaterThan(0.25);
  });

  it('leaves 15 % of each page free for new versions, and is vacuumed once 2 % of its rows are dead', async () => {
    const [row] = await world.sql(
      "SELECT reloptions FROM pg_class WHERE oid = 'payments.payment_view'::regclass",
    );
    expect(row?.['reloptions']).toEqual(['fillfactor=85', 'autovacuum_vacuum_scale_factor=0.02']);
  });
});
