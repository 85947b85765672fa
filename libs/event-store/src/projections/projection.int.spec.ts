import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/nats/testing/until';
import { eventType, type EventTypes } from '@xs2a/events/event-types';
import { newId } from '@xs2a/runtime/ids';
import { logHead } from '../recovery/log-gaps.js';
import { SampleProjection, sums } from '../testing/sample-projection.js';
import { counted, type SampleEvent, sampleTypes } from '../testing/sample-stream.js';
import { listProjections } from './checkpoints.js';
import { ProjectionLog } from './projection-log.js';

let sample: SampleProjection;
beforeAll(async () => {
  sample = await SampleProjection.start();
}, 60_000);
beforeEach(async () => sample.clear());
afterEach(async () => sample.stopRunners());
afterAll(async () => sample.stop());

describe('projections (architecture, Event store 6)', () => {
  it('follow the log and apply each event once, even with several instances', async () => {
    const all = [
      sample.follow(),
      sample.follow(sums(), sample.database.pool()),
      sample.follow(sums(), sample.database.pool()),
    ];
    for (let round = 0; round < 5; round += 1) await sample.append(60);
    await sample.caughtUp();
    expect(await sample.live()).toEqual(await sample.expected());
    expect(all.map((runner) => runner.degraded())).toEqual([undefined, undefined, undefined]);
  });

  it('write the effect and the checkpoint together: a failed attempt writes neither and is reported, and the projections then recover', async () => {
    let failing = true;
    const good = sums();
    const runner = sample.follow({
      ...good,
      apply: async (client, rows, events, reads) => {
        await good.apply(client, rows, events, reads);
        if (failing) throw new Error('no');
      },
    });
    await sample.append(10);
    await until(() => expect(runner.degraded()).toBe('sample_sums is not kept up to date'));
    expect(await sample.live()).toEqual([]);
    failing = false;
    await sample.caughtUp();
    expect(await sample.live()).toEqual(await sample.expected());
    const transactions = await sample.sql(
      'SELECT xmin::text FROM payments.sample_sums UNION SELECT xmin::text FROM payments.projection',
    );
    expect(transactions).toHaveLength(1);
    await until(() => expect(runner.degraded()).toBeUndefined());
  });

  it('survive a lost connection', async () => {
    sample.follow(sums(), sample.database.pool('follower'));
    for (let round = 0; round < 4; round += 1) {
      await sample.append(40);
      await sample.cutOff('follower');
    }
    await sample.caughtUp();
    expect(await sample.live()).toEqual(await sample.expected());
  });

  it('read old events in the current schema version', async () => {
    await sample.append(5);
    const runner = sample.follow();
    await sample.caughtUp();
    await runner.stop();
    const doubled: EventTypes = {
      ...sampleTypes,
      counted: eventType('It was counted up.', (data) => ({ ...(data as object), by: 100 })),
    };
    await sample.rebuild({ types: doubled });
    expect(await sample.live()).toEqual(
      (await sample.expected()).map((row) => ({ ...row, total: Number(row['events']) * 100 })),
    );
  });

  it('read only the type and time of events whose data they do not request', async () => {
    await sample.append(1);
    await sample.store.append({
      streamId: newId(),
      events: [counted(1), { type: 'emptied', data: {} }],
      actor: 'tester',
    });
    await sample.append(0);
    const log = new ProjectionLog(sampleTypes);
    const read = async (dataOf?: string[]) => {
      const { events } = await log.page(sample.pool, { dataOf }, { from: 0, head: 4, size: 4 });
      return events.map(({ type, data }) => [type, data === undefined]);
    };
    const [without, having] = [true, false];
    expect(await read(['emptied'])).toEqual([
      ...Array.from({ length: 3 }, () => ['counted', without]),
      ['emptied', having],
    ]);
    expect((await read()).map(([, isWithout]) => isWithout)).toEqual([having, having, having, having]);
  });

  it.each([
    ['of a type unknown here', { counted: sampleTypes.counted }],
    ['of a newer version', { ...sampleTypes, counted: eventType('It was counted up.', (data) => data) }],
  ])('stop before an event %s and continue in a release that can read it', async (_title, other) => {
    const newer = Object.hasOwn(other, 'emptied') ? other : sampleTypes;
    const older = Object.hasOwn(other, 'emptied') ? sampleTypes : other;
    await sample.append(3);
    const writer = sample.database.store(sample.pool, undefined, newer as EventTypes<SampleEvent['type']>);
    await writer.append({
      streamId: newId(),
      events: [counted(5, 'five'), { type: 'emptied', data: {} }],
      actor: 'tester',
    });
    await sample.append(3);
    const waiting = sample.follow(sums(), sample.pool, older);
    await until(() => expect(waiting.degraded()).toMatch(/^sample_sums waits for a newer release: /));
    expect((await listProjections(sample.owner))[0]?.pos).toBeLessThan(await logHead(sample.pool));
    sample.follow(sums(), sample.pool, newer);
    await sample.caughtUp();
    expect((await sample.live()).find(({ note }) => note === 'five')).toMatchObject({ events: 1, total: 5 });
    await until(() => expect(waiting.degraded()).toBeUndefined());
  });

  it('are not changed if they are too old for this release, and are reported as needing a rebuild', async () => {
    const runner = sample.follow(sums(2));
    await sample.append(3);
    await until(() =>
      expect(runner.degraded()).toContain('is at version 1, this release writes version 2: rebuild it'),
    );
    await sample.rebuild({ projection: sums(2) });
    await sample.append(3);
    await sample.caughtUp();
    expect(await sample.live()).toEqual(await sample.expected(2));
    await until(() => expect(runner.degraded()).toBeUndefined());
  });
});
