import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventType, type EventTypes } from '@xs2a/events/event-types';
import { Clock } from '@xs2a/runtime/clock';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import { EventStore } from './event-store.js';
import { inlineViewDifferences, rebuildInlineView } from '../projections/inline-view-rebuild.js';
import {
  counted,
  type SampleDatabase,
  type SampleEvent,
  silent,
  startSampleDatabase,
  sampleRefusals,
} from '../testing/sample-stream.js';

/** The state as folded by this release. */
interface State {
  readonly total: number;
  readonly note?: string;
}
/** The state as folded by the next release, which also stores the largest step and has another name for the sum. */
interface NextState {
  readonly sum: number;
  readonly maxStep: number;
}
type NextEvent = SampleEvent | { readonly type: 'doubled'; readonly data: { readonly times: number } };

const columns = { total: 'bigint', note: 'text' } as const;
const types: EventTypes<SampleEvent['type']> = {
  counted: eventType('It was counted.'),
  emptied: eventType('All went.'),
};
const nextTypes: EventTypes<NextEvent['type']> = {
  ...types,
  counted: eventType('It was counted.', (data) => data),
  doubled: eventType('It was doubled.'),
};

let database: SampleDatabase;
let pool: Pool;
let old: EventStore<SampleEvent, State>;
let next: EventStore<NextEvent, NextState>;
let expanded: EventStore<SampleEvent, NextState>;
let streamId: string;

const evolveNext = (state: NextState | undefined, event: NextEvent): NextState => {
  const before = state ?? { sum: 0, maxStep: 0 };
  if (event.type === 'doubled') return { ...before, sum: before.sum * 2 * event.data.times };
  if (event.type === 'emptied') return { ...before, sum: 0 };
  return { ...before, sum: before.sum + event.data.by, maxStep: Math.max(before.maxStep, event.data.by) };
};

beforeAll(async () => {
  database = await startSampleDatabase();
  pool = database.pool();
  const common = {
    pool,
    refusals: sampleRefusals,
    hashKeys: testHashKeys,
    clock: new Clock(true),
    logger: silent,
  } as const;
  old = new EventStore<SampleEvent, State>({
    ...common,
    evolve: (state, event) => {
      if (event.type === 'counted') return { ...state, total: (state?.total ?? 0) + event.data.by };
      if (state === undefined) throw new Error('nothing can be emptied that was never counted');
      return { total: 0 };
    },
    stateVersion: 1,
    view: { table: 'sample_view', columns, row: ({ total, note }) => ({ total, note }) },
    eventTypes: types,
  });
  const nextView = { table: 'sample_view', columns, row: ({ sum }: NextState) => ({ total: sum }) } as const;
  expanded = new EventStore<SampleEvent, NextState>({
    ...common,
    evolve: evolveNext,
    stateVersion: 2,
    view: nextView,
    eventTypes: types,
  });
  next = new EventStore<NextEvent, NextState>({
    ...common,
    evolve: evolveNext,
    stateVersion: 2,
    view: nextView,
    eventTypes: nextTypes,
  });
}, 60_000);
afterAll(async () => database.stop());
beforeEach(() => {
  streamId = newId();
});

const add = async (
  store: { change: EventStore<SampleEvent, unknown>['change'] },
  by: number,
): Promise<unknown> => store.change(streamId, () => ({ events: [counted(by)] }), { actor: 'tester' });
const begin = async (
  store: {
    append: (change: { streamId: string; events: readonly SampleEvent[]; actor: string }) => Promise<unknown>;
  },
  by: number,
): Promise<void> => {
  expect(await store.append({ streamId, events: [counted(by)], actor: 'tester' })).toBe('appended');
};
const beginNext = async (): Promise<void> => {
  expect(await next.append({ streamId, events: [counted(5)], actor: 'tester' })).toBe('appended');
};
const stored = async (): Promise<Record<string, unknown>> => {
  const [row] = await database.sql('SELECT state FROM payments.sample_view WHERE stream_id = $1', [streamId]);
  return row?.['state'] as Record<string, unknown>;
};

describe('a state stored by another release (architecture, Upgrades)', () => {
  it('is read by a newer release as if that release had folded it', async () => {
    await begin(old, 5);
    expect((await expanded.load(streamId))?.state).toEqual({ sum: 5, maxStep: 5 });
    expect(await add(expanded, 7)).toEqual({ sum: 12, maxStep: 7 });
  });

  it('is read by an older release as if that release had folded it, and appends of the older release lose no data of the newer one', async () => {
    await begin(expanded, 5);
    expect((await old.load(streamId))?.state).toEqual({ total: 5 });
    expect(await add(old, 3)).toEqual({ total: 8 });
    expect(await stored()).toEqual({ $state: [1, 2], total: 8 });
    expect((await expanded.load(streamId))?.state).toEqual({ sum: 8, maxStep: 5 });
  });

  it('has no members of the other release if both append in turn, and the view matches the events in both releases', async () => {
    await begin(old, 1);
    for (const by of [2, 3, 4]) {
      await add(expanded, by);
      await add(old, by * 10);
    }
    expect((await old.load(streamId))?.state).toEqual({ total: 100 });
    expect((await expanded.load(streamId))?.state).toEqual({ sum: 100, maxStep: 40 });
  });

  it('is folded again if it has no mark, or has the mark of an earlier version of its stream', async () => {
    await begin(expanded, 5);
    await add(expanded, 6);
    await database.sql(
      `UPDATE payments.sample_view SET state = '{"sum": 1, "maxStep": 1, "$state": [2, 1]}' WHERE stream_id = $1`,
      [streamId],
    );
    expect((await expanded.load(streamId))?.state).toEqual({ sum: 11, maxStep: 6 });
    await database.sql(`UPDATE payments.sample_view SET state = '{"sum": 1}' WHERE stream_id = $1`, [
      streamId,
    ]);
    expect((await expanded.load(streamId))?.state).toEqual({ sum: 11, maxStep: 6 });
  });

  it('is used unchanged if its state version is that of this release', async () => {
    await begin(old, 5);
    await database.sql(
      `UPDATE payments.sample_view SET state = '{"$state": [1, 1], "total": 77}' WHERE stream_id = $1`,
      [streamId],
    );
    expect((await old.load(streamId))?.state).toEqual({ total: 77 });
  });

  it('is used unchanged if the month that contains its events was detached', async () => {
    await begin(expanded, 5);
    await database.sql('DELETE FROM payments.events WHERE stream_id = $1', [streamId]);
    expect((await old.load(streamId))?.state).toEqual({ sum: 5, maxStep: 5 });
  });

  it('does not count as a difference between view and events, and a rebuild sets its mark', async () => {
    await database.sql('TRUNCATE payments.events, payments.sample_view, payments.unsequenced');
    await begin(old, 5);
    // The newer fold produces a different state, so the content must differ too; a different mark is not
    // enough.
    await database.sql(
      `UPDATE payments.sample_view SET state = '{"$state": [9, 9], "total": 5}' WHERE stream_id = $1`,
      [streamId],
    );
    expect(await inlineViewDifferences(pool, old)).toEqual([]);
    expect((await rebuildInlineView(pool, old)).written).toBe(1);
    expect(await stored()).toEqual({ $state: [1, 1], total: 5 });
    expect((await rebuildInlineView(pool, old)).written).toBe(0);
  });
});

describe('an event that only a newer release can read (architecture, Upgrades)', () => {
  const useNewEvent = async (): Promise<void> => {
    await beginNext();
    const doubled = { type: 'doubled', data: { times: 1 } } as const;
    await next.change(streamId, () => ({ events: [doubled] }), { actor: 'tester' });
  };

  it('makes the older release refuse for now and change nothing if the event type is new', async () => {
    await useNewEvent();
    const before = await stored();
    await expect(old.load(streamId)).rejects.toMatchObject({ refusal: 'not-now' });
    await expect(add(old, 1)).rejects.toMatchObject({ refusal: 'not-now' });
    expect(await stored()).toEqual(before);
    expect((await next.load(streamId))?.state).toEqual({ sum: 10, maxStep: 5 });
  });

  it('makes the older release refuse for now if the event version is new', async () => {
    await beginNext();
    await expect(old.load(streamId)).rejects.toMatchObject({ refusal: 'not-now' });
  });

  it('does not prevent the older release from changing the other streams of a batch', async () => {
    await useNewEvent();
    const other = newId();
    expect(await old.append({ streamId: other, events: [counted(1)], actor: 'tester' })).toBe('appended');
    const changed = await old.many.change([streamId, other], () => ({ events: [counted(1)] }), {
      actor: 'tester',
    });
    expect(changed.get(other)).toEqual({ state: { total: 2 } });
    expect(changed.get(streamId)).toMatchObject({ refused: 'not-now' });
  });
});

describe('a stream whose events can no longer be folded', () => {
  it('is refused for now and does not affect the other streams of a batch', async () => {
    const emptied = { type: 'emptied', data: {} } as const;
    expect(await expanded.append({ streamId, events: [emptied], actor: 'tester' })).toBe('appended');
    const other = newId();
    expect(await old.append({ streamId: other, events: [counted(1)], actor: 'tester' })).toBe('appended');
    const changed = await old.many.change([streamId, other], () => ({ events: [counted(1)] }), {
      actor: 'tester',
    });
    expect(changed.get(other)).toEqual({ state: { total: 2 } });
    expect(changed.get(streamId)).toMatchObject({ refused: 'not-now' });
    await expect(old.load(streamId)).rejects.toMatchObject({ refusal: 'not-now' });
  });
});
