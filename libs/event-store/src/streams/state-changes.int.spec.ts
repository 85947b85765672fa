import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import type { StateChange } from './state-changes.js';
import {
  counted,
  type SampleDatabase,
  type SampleEvent,
  type SampleState,
  type SampleStore,
  startSampleDatabase,
} from '../testing/sample-stream.js';

const column = 'wanted';
let database: SampleDatabase;
let pool: Pool;
let store: SampleStore;
/** Every second one of these streams is selected. */
const streams = Array.from({ length: 60 }, newId);
const wanted = streams.filter((_id, index) => index % 2 === 0);

beforeAll(async () => {
  database = await startSampleDatabase();
  pool = database.pool();
  store = database.store(pool);
  await database.sql(`ALTER TABLE payments.sample_view ADD COLUMN ${column} boolean`);
  for (const streamId of streams) await store.append({ streamId, events: [counted(1)], actor: 'tester' });
  for (const by of [2, 3, 4]) {
    await store.many.change(streams, () => ({ events: [counted(by)] }), { actor: 'tester' });
  }
  await database.sql(`UPDATE payments.sample_view SET ${column} = true WHERE stream_id = ANY($1)`, [wanted]);
  await database.sql(`INSERT INTO payments.log (pos, stream_id, version)
    SELECT row_number() OVER (ORDER BY id), stream_id, version FROM payments.unsequenced`);
}, 60_000);
afterAll(async () => database.stop());

const asIs = (change: StateChange<SampleState, SampleEvent>) => [change];

const allPages = async (maxFolded?: number) => {
  const changes: StateChange<SampleState, SampleEvent>[] = [];
  const sizes: number[] = [];
  for (let after = 0; ;) {
    const page = await store.many.readChanges({ after, column, maxFolded }, asIs);
    if (page.next === after) return { changes, sizes };
    expect(page.next).toBeGreaterThan(after);
    expect(page.changes.every(({ pos }) => pos > after && pos <= page.next)).toBe(true);
    changes.push(...page.changes);
    sizes.push(page.changes.length);
    after = page.next;
  }
};

describe('the changes that events made to their streams (ADR 38)', () => {
  it('are read for the selected streams only, each once and in order, with the states before and after it', async () => {
    const { changes } = await allPages();
    expect(changes).toHaveLength(4 * wanted.length);
    expect(new Set(changes.map(({ eventId }) => eventId)).size).toBe(changes.length);
    expect(changes.map(({ pos }) => pos)).toEqual(changes.map(({ pos }) => pos).sort((a, b) => a - b));
    for (const streamId of wanted) {
      const own = changes.filter((change) => change.streamId === streamId);
      expect(own.map(({ before, after }) => [before?.total, after.total])).toEqual([
        [undefined, 1],
        [1, 3],
        [3, 6],
        [6, 10],
      ]);
    }
  });

  it('are the same even if a page ends early because it required too many folds', async () => {
    const whole = await allPages();
    const early = await allPages(1);
    expect(early.changes).toEqual(whole.changes);
    expect(early.sizes.length).toBeGreaterThan(whole.sizes.length);
  });
});

describe('a stream that cannot be folded (ADR 38)', () => {
  it('is skipped from its first unknown event on while all other streams are read, and is read from there once the event type is known', async () => {
    const [damaged = '', other = ''] = wanted;
    const whole = await allPages();
    const rename = async (from: string, to: string): Promise<unknown> =>
      database.sql(
        'UPDATE payments.events SET type = $3 WHERE stream_id = $1 AND version = 3 AND type = $2',
        [damaged, from, to],
      );
    await rename('counted', 'of a newer release');
    const page = await store.many.readChanges({ after: 0, column }, asIs);
    const read = (streamId: string) => page.changes.filter((change) => change.streamId === streamId);
    expect(read(other)).toEqual(whole.changes.filter(({ streamId }) => streamId === other));
    expect(read(damaged).map(({ after }) => after.total)).toEqual([1, 3]);
    const lastRead = whole.changes.filter(({ streamId }) => streamId === damaged)[2];
    const pos = lastRead?.pos ?? 0;
    expect(page.unread).toEqual([{ streamId: damaged, pos }]);

    const only = { streamId: damaged, upTo: page.next };
    const again = { after: pos - 1, column, only };
    expect(await store.many.readChanges(again, asIs)).toEqual({
      changes: [],
      unread: [{ streamId: damaged, pos }],
      next: page.next,
    });
    await rename('of a newer release', 'counted');
    const readAgain = await store.many.readChanges(again, asIs);
    expect(readAgain.changes.map(({ after }) => after.total)).toEqual([6, 10]);
    expect(readAgain.unread).toEqual([]);
  });
});

describe('a change that cannot be rendered (ADR 38)', () => {
  it('causes only its own stream to be skipped, starting with that change', async () => {
    const [damaged = '', other = ''] = wanted;
    const whole = await allPages();
    const page = await store.many.readChanges({ after: 0, column }, (change) => {
      if (change.streamId === damaged && change.after.total === 3) throw new TypeError('no uri');
      return [change];
    });
    const read = (streamId: string) => page.changes.filter((change) => change.streamId === streamId);
    expect(read(damaged).map(({ after }) => after.total)).toEqual([1]);
    expect(read(other)).toEqual(whole.changes.filter(({ streamId }) => streamId === other));
    const pos = whole.changes.filter(({ streamId }) => streamId === damaged)[1]?.pos;
    expect(page.unread).toEqual([{ streamId: damaged, pos }]);
  });
});
