import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AddressTally,
  type CallTally,
  recordCalls,
  type TppTally,
} from '@xs2a/contracts/call-records.contract';
import { addDays } from '@xs2a/domain/time/bank-calendar';
import { newId } from '@xs2a/runtime/ids';
import { CallRecords } from './call-records.js';
import { startWorld, type World } from '../testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world.stop(), 30_000);

const calls = (changes: Partial<CallTally> = {}): CallTally => ({
  day: '2026-01-01',
  api: 'AIS',
  endpoint: 'listAccounts',
  calls: 10,
  refused: 2,
  failed: 1,
  totalMs: 55.5,
  ...changes,
});
const byTpp = (changes: Partial<TppTally> = {}): TppTally => {
  const { endpoint: _endpoint, ...tally } = calls();
  return { ...tally, tppId: 'tpp', ...changes };
};
const consentId = newId();
const address = (ip: string, changes: Partial<AddressTally> = {}): AddressTally => ({
  day: '2026-01-01',
  consentId,
  tppId: 'tpp',
  address: ip,
  calls: 1,
  fromTpp: 0,
  ...changes,
});

describe('what the gateways counted', () => {
  it('adds up over batches and gateways; a batch that is sent again, also at the same time, counts once', async () => {
    const batches = Array.from({ length: 5 }, () => ({
      batchId: newId(),
      calls: [calls()],
      byTpp: [byTpp(), byTpp({ tppId: 'other', calls: 1 })],
      addresses: [],
    }));
    await Promise.all(
      [...batches, ...batches, ...batches].map((batch) => world.callClient.call(recordCalls, batch)),
    );
    const { rows } = await world.pool.query('SELECT calls, refused, failed, total_ms FROM call_statistics');
    expect(rows).toEqual([{ calls: 50, refused: 10, failed: 5, total_ms: 277.5 }]);
    const { rows: tpps } = await world.pool.query('SELECT tpp_id, calls FROM tpp_statistics ORDER BY calls');
    expect(tpps).toEqual([
      { tpp_id: 'other', calls: 5 },
      { tpp_id: 'tpp', calls: 50 },
    ]);
  });

  it('forgets single TPPs and addresses after 396 days, and keeps the statistics of all', async () => {
    const today = world.clock.now().slice(0, 10);
    const old = addDays(today, -397);
    const send = (day: string): Promise<unknown> =>
      world.callClient.call(recordCalls, {
        batchId: newId(),
        calls: [calls({ day })],
        byTpp: [byTpp({ day })],
        addresses: [address('192.0.2.1', { day, consentId: newId() })],
      });
    await Promise.all([send(old), send(addDays(today, -396))]);
    await new CallRecords(world.pool, world.clock).prune();
    const readDays = async (table: string): Promise<unknown[]> => {
      const { rows } = await world.pool.query<{ day: string }>(
        `SELECT to_char(day, 'YYYY-MM-DD') AS day FROM ${table} WHERE day < $1::date - 390 ORDER BY day`,
        [today],
      );
      return rows.map(({ day }) => day);
    };
    const kept = addDays(today, -396);
    expect(await readDays('tpp_statistics')).toEqual([kept]);
    expect(await readDays('psu_address')).toEqual([kept]);
    expect(await readDays('call_statistics')).toEqual([old, kept]);
  });

  it('keeps at most 50 addresses of a consent and day apart, and counts the rest together', async () => {
    const send = (from: number, many: number): Promise<unknown> =>
      world.callClient.call(recordCalls, {
        batchId: newId(),
        calls: [],
        byTpp: [],
        addresses: Array.from({ length: many }, (_, at) =>
          address(`198.51.100.${from + at}`, { fromTpp: 1 }),
        ),
      });
    await send(0, 40);
    await send(0, 200);
    await send(0, 30);
    const { rows } = await world.pool.query<{ address: string; calls: number; from_tpp: number }>(
      'SELECT address, calls, from_tpp FROM psu_address WHERE consent_id = $1 ORDER BY address',
      [consentId],
    );
    expect(rows).toHaveLength(51);
    expect(rows[0]?.address).toBe('');
    expect(rows.reduce((sum, row) => sum + row.calls, 0)).toBe(270);
    expect(rows.reduce((sum, row) => sum + row.from_tpp, 0)).toBe(270);
  });
});
