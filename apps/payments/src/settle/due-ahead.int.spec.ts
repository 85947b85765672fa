import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPaymentsWorld, type PaymentsWorld } from '../testing/payments-world.js';
import type { PoolClient } from 'pg';
import { dueAhead } from './due-ahead.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Actual Rows': number;
}

/** Reads a page of due payments beyond the first lanes, as the handler does, and returns the cost. */
const explained = async (session: PoolClient, except: readonly number[]) => {
  const { rows } = await session.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${dueAhead}`,
    [world.payments.clock.now(), -1, except, 800],
  );
  const [found] = rows[0]?.['QUERY PLAN'] ?? [];
  if (found === undefined) throw new Error('no plan');
  const { Plan: plan } = found;
  return { blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], rows: plan['Actual Rows'] };
};

describe('reading due payments fairly between accounts (contract 9)', () => {
  it.each([10, 10_000])(
    'costs the same per page, however many payments are due: tested with 100,000 payments of %i accounts',
    async (accounts) => {
      const session = await world.session();
      try {
        await session.query('SET search_path = payments');
        await session.query('TRUNCATE payment_view');
        // The other accounts each have a payment that is due on a later day.
        for (let batch = 0; batch < 10; batch += 1)
          await session.query(
            `INSERT INTO payment_view (stream_id, version, last_hash, state, tpp_id, service, product, status, due_at, due_lane)
             SELECT gen_random_uuid(), 1, ''::bytea, json_build_object('text', repeat('x', 1000)), 'tpp', 'payments', 'p', 'ACCP',
               now() - number * interval '1 minute', 1 + (number * 7919) % $1::int
             FROM generate_series($2::int * 10000 + 1, $2 * 10000 + 10000) number
             UNION ALL SELECT gen_random_uuid(), 1, ''::bytea, '{}', 'tpp', 'payments', 'p', 'ACCP', now() + interval '1 day', 30000 + $2 * 500 + number
             FROM generate_series(1, 500) number`,
            [accounts, batch],
          );
        await session.query('ANALYZE payment_view');
        const { blocks, rows } = await explained(session, [1, 2, 3]);
        expect(rows).toBe(accounts === 10 ? 798 : 800);
        // An index lookup reads three or four blocks. There is one lookup per lane, and there are two per
        // payment.
        expect(blocks).toBeLessThan(40_000);
      } finally {
        session.release(true);
      }
    },
    120_000,
  );
});
