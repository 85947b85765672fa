import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AddressTally,
  type CallTally,
  recordCalls,
  type TppTally,
} from '@xs2a/contracts/call-records.contract';
import { addDays } from '@xs2a/domain/time/bank-calendar';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import { CallRecords } from './call-records.js';
import { kept as settings, startWorld, type World } from '../testing/consents-world.js';

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

describe('calls reported by the gateways (docs/how-to/retention.md)', () => {
  it('add up across batches and gateways; a batch that is resent, even concurrently, counts once', async () => {
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

  it.each([
    ['psu_address', 396],
    ['tpp_statistics', 396],
    ['call_statistics', 1827],
  ])('are kept in %s for exactly %i days', async (table, days) => {
    const today = world.clock.now().slice(0, 10);
    const [kept, old] = [addDays(today, -days), addDays(today, -days - 1)];
    for (const day of [old, kept])
      await world.callClient.call(recordCalls, {
        batchId: newId(),
        calls: [calls({ day })],
        byTpp: [byTpp({ day })],
        addresses: [address('192.0.2.1', { day, consentId: newId() })],
      });
    await new CallRecords(world.pool, world.clock, settings).prune();
    const { rows } = await world.pool.query<{ day: string }>(
      `SELECT DISTINCT to_char(day, 'YYYY-MM-DD') AS day FROM ${table} WHERE day BETWEEN $1 AND $2`,
      [old, kept],
    );
    expect(rows).toEqual([{ day: kept }]);
  });

  it('are not kept for a consent that was erased before the gateway reported them', async () => {
    const owner = createPool({ url: world.ownerUrl, name: 'owner', max: 1 });
    const [forgotten, other] = [newId(), newId()];
    await owner.query('INSERT INTO consents.stream_key (stream_id, erased_at) VALUES ($1, now())', [
      forgotten,
    ]);
    await owner.end();
    const day = world.clock.now().slice(0, 10);
    const addresses = [forgotten, other].map((consentId) => address('192.0.2.9', { day, consentId }));
    await world.callClient.call(recordCalls, { batchId: newId(), calls: [], byTpp: [], addresses });
    const { rows } = await world.pool.query(
      'SELECT consent_id FROM psu_address WHERE consent_id = ANY($1::uuid[])',
      [[forgotten, other]],
    );
    expect(rows).toEqual([{ consent_id: other }]);
  });

  it('are kept for the period that the bank configures', async () => {
    const day = addDays(world.clock.now().slice(0, 10), -60);
    const tally = address('192.0.2.7', { day, consentId: newId() });
    await world.callClient.call(recordCalls, { batchId: newId(), calls: [], byTpp: [], addresses: [tally] });
    const isKept = async (PSU_ADDRESS_DAYS: number): Promise<boolean> => {
      await new CallRecords(world.pool, world.clock, { ...settings, PSU_ADDRESS_DAYS }).prune();
      return (await world.pool.query('SELECT FROM psu_address WHERE day = $1', [day])).rows.length > 0;
    };
    expect(await isKept(60)).toBe(true);
    expect(await isKept(59)).toBe(false);
  });

  it('are removed in batches of at most 5,000 rows, even by two instances concurrently', async () => {
    const owner = createPool({ url: world.ownerUrl, name: 'owner', max: 1 });
    await owner.query(`
      CREATE TABLE consents.batch_size (rows bigint);
      CREATE FUNCTION consents.note_size() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        INSERT INTO consents.batch_size SELECT count(*) FROM gone;
        RETURN NULL;
      END $$;
      CREATE TRIGGER note_size AFTER DELETE ON consents.psu_address REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION consents.note_size();
      INSERT INTO consents.psu_address (consent_id, day, address, tpp_id, calls, from_tpp)
        SELECT gen_random_uuid(), '2020-01-01', '192.0.2.1', 'tpp', 1, 0 FROM generate_series(1, 12000)`);
    const instances = [1, 2].map(() => new CallRecords(world.pool, world.clock, settings));
    await Promise.all(instances.map(async (instance) => instance.prune()));
    const { rows } = await owner.query<{ removed: number; largest: number }>(
      'SELECT sum(rows)::int AS removed, max(rows)::int AS largest FROM consents.batch_size',
    );
    await owner.query('DROP TRIGGER note_size ON consents.psu_address');
    await owner.end();
    expect(rows).toEqual([{ removed: 12_000, largest: 5000 }]);
  });

  it('are kept for at most 50 separate addresses per consent and day; calls from all other addresses are counted together', async () => {
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
