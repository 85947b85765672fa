import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/nats/testing/until';
import { newId } from '@xs2a/runtime/ids';
import { SampleProjection, sums } from '../testing/sample-projection.js';
import { counted, sampleTypes } from '../testing/sample-stream.js';
import { listProjections } from './checkpoints.js';
import type { Projection } from './projection.js';
import { projectionDifferences, type RebuildOptions, type RebuildProgress } from './rebuild.js';

/** Returns the id of a stream that began at this time. */
const begunAt = (at: string): string => {
  const time = Date.parse(at).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
};

let sample: SampleProjection;
beforeAll(async () => {
  sample = await SampleProjection.start();
}, 60_000);
beforeEach(async () => sample.clear());
afterEach(async () => sample.stopRunners());
afterAll(async () => sample.stop());

describe('a rebuild of a projection (architecture, Event store 6; quality, invariant 5)', () => {
  it('computes the same rows again, and reports its progress', async () => {
    sample.follow();
    await sample.append(500);
    await sample.caughtUp();
    const before = await sample.live();
    const progress: RebuildProgress[] = [];
    expect(await sample.rebuild({ onProgress: (one) => progress.push(one) })).toMatchObject({
      events: 1000,
      kept: [],
    });
    expect(progress.slice(0, 10).map(({ done, total }) => [done, total])).toEqual(
      Array.from({ length: 10 }, (_, index) => [(index + 1) * 100, 1000]),
    );
    expect(progress.every(({ perSecond, secondsLeft }) => perSecond > 0 && secondsLeft >= 0)).toBe(true);
    expect(await sample.live()).toEqual(before);
    expect(await listProjections(sample.owner)).toEqual([
      { name: 'sample_sums', version: 1, pos: 1000, behind: 0 },
    ]);
    expect(
      await sample.sql("SELECT relname FROM pg_class WHERE relname LIKE 'sample_sums_rebuild%'"),
    ).toEqual([]);
    await sample.append(10);
    await sample.caughtUp();
    expect(await sample.live()).toEqual(await sample.expected());
  });

  it('repairs rows that are wrong, missing or too many', async () => {
    await sample.append(50);
    sample.follow();
    await sample.caughtUp();
    await sample.sql("UPDATE payments.sample_sums SET total = 0 WHERE note = 'note 1'");
    await sample.sql("DELETE FROM payments.sample_sums WHERE note = 'note 2'");
    await sample.sql("INSERT INTO payments.sample_sums VALUES ('2031-01', 'note 9', 1, 1)");
    await sample.rebuild();
    expect(await sample.live()).toEqual(await sample.expected());
  });

  it('keeps streams of several months apart', async () => {
    for (const at of ['2026-03-31T23:59:59Z', '2026-04-01T00:00:00Z', '2026-04-30T12:00:00Z'])
      await sample.store.append({ streamId: begunAt(at), events: [counted(3, 'spring')], actor: 'tester' });
    await sample.append(1);
    sample.follow();
    await sample.caughtUp();
    await sample.sql('UPDATE payments.sample_sums SET total = 0');
    await sample.rebuild();
    const rows = await sample.sql(
      "SELECT month, total::int FROM payments.sample_sums WHERE note = 'spring' ORDER BY month",
    );
    expect(rows).toEqual([
      { month: '2026-03', total: 3 },
      { month: '2026-04', total: 6 },
    ]);
    expect(await sample.live()).toEqual(await sample.expected());
  });

  it('is a comparison if nothing may change: it counts the rows that differ, even while the projection is behind', async () => {
    await sample.append(75);
    const runner = sample.follow();
    await sample.caughtUp();
    await runner.stop();
    await sample.append(75);
    const options: RebuildOptions = { pool: sample.owner, projection: sums(), types: sampleTypes };
    expect(await projectionDifferences(options)).toBe(0);
    await sample.sql("UPDATE payments.sample_sums SET total = total + 1 WHERE note = 'note 3'");
    expect(await projectionDifferences(options)).toBe(2);
    await sample.sql("DELETE FROM payments.sample_sums WHERE note = 'note 4'");
    expect(await projectionDifferences(options)).toBe(3);
    expect(await listProjections(sample.owner)).toMatchObject([{ pos: 150 }]);
    expect(
      await sample.sql("SELECT relname FROM pg_class WHERE relname LIKE 'sample_sums_rebuild%'"),
    ).toEqual([]);
  });

  it('does not block readers or the writes of the service, and readers never see part of a month', async () => {
    sample.follow();
    await sample.append(700);
    await sample.caughtUp();
    const done = new AbortController();
    const totals: number[] = [];
    const reader = (async () => {
      while (!done.signal.aborted) {
        const { rows } = await sample.pool.query<{ total: number }>({
          name: 'reader',
          text: 'SELECT sum(total)::bigint AS total FROM sample_sums',
        });
        totals.push(rows[0]?.total ?? 0);
      }
    })();
    const writer = (async () => {
      for (let round = 0; round < 10; round += 1) await sample.append(30);
    })();
    for (let round = 0; round < 3; round += 1) await sample.rebuild();
    await writer;
    await sample.caughtUp();
    done.abort();
    await reader;
    expect(await sample.live()).toEqual(await sample.expected());
    expect(totals).toEqual([...totals].sort((one, other) => one - other));
    expect(totals[0]).toBe(2100);
  }, 20_000);

  it('may be interrupted and repeated', async () => {
    sample.follow();
    await sample.append(300);
    await sample.caughtUp();
    await sample.sql('UPDATE payments.sample_sums SET total = 0');
    const stopping = new AbortController();
    const stopped = sample.rebuild({
      onProgress: ({ done }) => done === 300 && stopping.abort(new Error('stopped')),
      signal: stopping.signal,
    });
    await expect(stopped).rejects.toThrow('stopped');
    await sample.append(20);
    await sample.rebuild();
    await sample.caughtUp();
    expect(await sample.live()).toEqual(await sample.expected());
  });

  it('may be repeated after its connection was lost', async () => {
    sample.follow();
    await sample.append(300);
    await sample.caughtUp();
    let pages = 0;
    const cutInThirdPage: Projection = {
      ...sums(),
      apply: async (client, rows, events, reads) => {
        pages += 1;
        if (pages === 3) await sample.cutOff('doomed');
        await sums().apply(client, rows, events, reads);
      },
    };
    const doomed = sample.rebuild({
      pool: sample.database.superuserPool('payments', 'doomed'),
      projection: cutInThirdPage,
    });
    await expect(doomed).rejects.toThrow(/terminat|connection/i);
    await sample.rebuild();
    expect(await sample.live()).toEqual(await sample.expected());
  });

  it('stops the instances of both releases while it changes the version, so that no row is of both', async () => {
    await sample.store.append({
      streamId: begunAt('2026-03-15T12:00:00Z'),
      events: [counted(3, 'spring')],
      actor: 'tester',
    });
    const older = sample.follow();
    await sample.append(100);
    await sample.caughtUp();
    const stopping = new AbortController();
    const stopped = sample.rebuild({
      projection: sums(2),
      // The first month has one event.
      onProgress: ({ done }) => done > 1 && stopping.abort(new Error('stopped')),
      signal: stopping.signal,
    });
    await expect(stopped).rejects.toThrow('stopped');
    const newer = sample.follow(sums(2));
    await sample.append(10);
    for (const runner of [older, newer])
      await until(() => expect(runner.degraded()).toContain('is being rebuilt'));
    await sample.rebuild({ projection: sums(2) });
    await sample.caughtUp();
    expect(await sample.live()).toEqual(await sample.expected(2));
  });

  it('leaves version and rows as they were if it cannot read an event', async () => {
    const streamId = newId();
    await sample.store.append({
      streamId,
      events: [counted(3, 'spring'), { type: 'emptied', data: {} }],
      actor: 'tester',
    });
    await sample.append(0);
    sample.follow();
    await sample.caughtUp();
    const before = await sample.live();
    const unknown = { counted: sampleTypes.counted };
    await expect(sample.rebuild({ projection: sums(2), types: unknown })).rejects.toThrow('emptied');
    expect(await listProjections(sample.owner)).toMatchObject([{ version: 1 }]);
    expect(await sample.live()).toEqual(before);
  });

  it('includes what is read while it works, however much that is', async () => {
    sample.follow();
    await sample.append(10);
    await sample.caughtUp();
    let more = 3;
    await sample.rebuild({
      projection: {
        ...sums(),
        apply: async (client, rows, events, reads) => {
          if (more > 0 && rows.table !== '"sample_sums"') {
            more -= 1;
            await sample.append(1200);
            await sample.caughtUp();
          }
          await sums().apply(client, rows, events, reads);
        },
      },
    });
    await sample.caughtUp();
    expect(await sample.live()).toEqual(await sample.expected());
  }, 60_000);

  it('cannot run twice at the same time', async () => {
    await sample.append(300);
    const outcomes = await Promise.allSettled([sample.rebuild(), sample.rebuild()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
