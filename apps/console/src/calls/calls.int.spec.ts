import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recordCallRows } from '@xs2a/contracts/console.contract';
import { newId } from '@xs2a/runtime/ids';
import { callBatch, callRow, type ConsoleWorld, startConsoleWorld } from '../testing/console-world.js';
import { CallDays } from './call-days.js';

const dayMs = 24 * 60 * 60 * 1000;
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();
const partitionOf = (at: string): string => `call_${at.slice(0, 10).replaceAll('-', '')}`;

let world: ConsoleWorld;
let days: CallDays;
beforeAll(async () => {
  world = await startConsoleWorld();
  [days] = world.instances.map((instance) => instance.get(CallDays)) as [CallDays];
}, 60_000);
afterAll(async () => world.stop());
let requestId: string;
beforeEach(() => {
  requestId = newId();
});

const stored = async (): Promise<Record<string, unknown>[]> =>
  (await world.pool.query<Record<string, unknown>>('SELECT * FROM call WHERE request_id = $1', [requestId]))
    .rows;
const partitions = async (): Promise<string[]> => {
  const { rows } = await world.pool.query<{ relname: string }>(
    "SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'call'::regclass ORDER BY 1",
  );
  return rows.map(({ relname }) => relname);
};

describe('the calls of the API (docs/adr/0077)', () => {
  it('are stored with everything that the gateway reports', async () => {
    const row = callRow({
      requestId,
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      failure: 'dependencyDown',
      path: 'instructedAmount.amount',
      dependency: 'accounts',
      resourceId: newId(),
    });
    await world.callClient.call(recordCallRows, callBatch([row]));
    expect(await stored()).toEqual([
      {
        at: new Date(row.at),
        call_id: expect.any(Number),
        request_id: requestId,
        trace_id: row.traceId,
        tpp_id: 'tpp',
        operation: 'readPayment',
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        failure: 'dependencyDown',
        path: 'instructedAmount.amount',
        dependency: 'accounts',
        ms: 4.5,
        bytes: 312,
        resource_id: row.resourceId,
      },
    ]);
  });

  it('are stored without the name of a failure if an older gateway reports them', async () => {
    await world.callClient.call(
      recordCallRows,
      callBatch([callRow({ requestId, status: 400, code: 'FORMAT_ERROR' })]),
    );
    expect(await stored()).toEqual([expect.objectContaining({ code: 'FORMAT_ERROR', failure: null })]);
  });

  it('are stored once if their batch is sent again, even to both instances at once', async () => {
    const since = daysAgo(0);
    const leftOut = [{ tppId: 'tpp', reason: 'limit', calls: 7, since, until: since }] as const;
    const batch = callBatch([callRow({ requestId }), callRow({ requestId })], leftOut);
    await Promise.all([1, 2, 3, 4, 5, 6].map(async () => world.callClient.call(recordCallRows, batch)));
    expect(await stored()).toHaveLength(2);
    const { rows } = await world.pool.query(
      'SELECT tpp_id, reason, calls FROM calls_left_out WHERE batch_id = $1',
      [batch.batchId],
    );
    expect(rows).toEqual([{ tpp_id: 'tpp', reason: 'limit', calls: 7 }]);
  });

  it('are stored a thousand at a time', async () => {
    const rows = Array.from({ length: 1000 }, () => callRow({ requestId }));
    await world.callClient.call(recordCallRows, callBatch(rows));
    expect(await stored()).toHaveLength(1000);
  });

  it('that arrive days late are stored on their day, and those past their retention are not', async () => {
    const late = daysAgo(5);
    expect(await partitions()).not.toContain(partitionOf(late));
    const batch = callBatch([callRow({ requestId, at: late }), callRow({ requestId, at: daysAgo(32) })]);
    await world.callClient.call(recordCallRows, batch);
    expect(await stored()).toEqual([expect.objectContaining({ at: new Date(late) })]);
    expect(await partitions()).toContain(partitionOf(late));
  });

  it('of a gateway whose clock is ahead are stored as of now', async () => {
    const before = Date.now();
    await world.callClient.call(recordCallRows, callBatch([callRow({ requestId, at: daysAgo(-20) })]));
    const [row] = (await stored()) as { at: Date }[];
    expect(row?.at.getTime()).toBeGreaterThanOrEqual(before);
    expect(row?.at.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('cannot be changed or removed with the rights of the service, nor can it make tables', async () => {
    for (const statement of [
      "UPDATE call SET code = ''",
      'DELETE FROM call',
      'TRUNCATE call',
      'DROP TABLE call',
      `DROP TABLE ${partitionOf(daysAgo(0))}`,
      'CREATE TABLE mine ()',
      `SELECT add_call_day('2020-01-01')`,
    ])
      await expect(world.pool.query(statement)).rejects.toThrow(
        /permission denied|must be owner|no calls are stored/,
      );
  });
});

describe('the partitions of calls (docs/how-to/retention.md)', () => {
  it('exist for today and the three days ahead, once, although two instances make them', async () => {
    const wanted = [0, -1, -2, -3].map((ago) => partitionOf(daysAgo(ago)));
    await Promise.all(world.instances.map(async (instance) => instance.get(CallDays).keep()));
    expect(await partitions()).toEqual(expect.arrayContaining(wanted));
  });

  it('are dropped after exactly 30 days, and with them the counts and batches of that time', async () => {
    const [old, oldest] = [daysAgo(31), daysAgo(30)];
    await world.pool.query('SELECT add_call_day($1), add_call_day($2)', [old, oldest]);
    await world.pool.query(
      `INSERT INTO call (at, request_id, operation, status, ms, bytes)
       SELECT unnest($1::timestamptz[]), $2, 'x', 200, 1, 1`,
      [[old, oldest], requestId],
    );
    await world.pool.query(
      `INSERT INTO calls_left_out SELECT gen_random_uuid(), 'old', 'limit', 1, until, until FROM unnest($1::timestamptz[]) AS until`,
      [[old, oldest]],
    );
    await world.pool.query('INSERT INTO call_batch SELECT gen_random_uuid(), $1', [daysAgo(2)]);
    await days.keep();
    expect(await partitions()).toEqual(expect.arrayContaining([partitionOf(oldest)]));
    expect(await partitions()).not.toContain(partitionOf(old));
    expect(await stored()).toEqual([expect.objectContaining({ at: new Date(oldest) })]);
    const { rows } = await world.pool.query("SELECT until FROM calls_left_out WHERE tpp_id = 'old'");
    expect(rows).toEqual([{ until: new Date(oldest) }]);
    const batches = await world.pool.query(
      "SELECT FROM call_batch WHERE recorded_at < now() - interval '1 day'",
    );
    expect(batches.rowCount).toBe(0);
  });
});
