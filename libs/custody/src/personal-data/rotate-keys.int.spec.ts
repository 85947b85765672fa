import { custodyTables } from '../custody.tables.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventTypesOf, fieldsOf } from '@xs2a/events/field-tables';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { type MasterKeys, parseMasterKeys } from '@xs2a/runtime/master-keys';
import type { Pool } from 'pg';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import { idempotencyPurpose } from '@xs2a/event-store/streams/idempotency-records';
import {
  type SampleDatabase,
  silent,
  startSampleDatabase,
  sampleRefusals,
} from '@xs2a/event-store/testing/sample-stream';
import { countKeys, rotateKeys } from './rotate-keys.js';

interface Named {
  readonly type: 'named';
  readonly data: { readonly note: string };
}
interface State {
  readonly notes: readonly string[];
}
type Store = EventStore<Named, State>;

const eventTypes = eventTypesOf<Named>({
  named: { meaning: 'A name was given.', fields: { note: 'personal' } },
});
const masterKeys = (...names: readonly ('old' | 'new' | 'other')[]): MasterKeys => {
  const byte = { old: 1, new: 2, other: 3 };
  const parsed = parseMasterKeys(
    names.map((name) => `${name}:${Buffer.alloc(32, byte[name]).toString('base64')}`).join(' '),
  );
  if (parsed === undefined) throw new Error('no master keys');
  return parsed;
};
const [onlyOld, oldFirst, newFirst, onlyNew] = [
  masterKeys('old'),
  masterKeys('old', 'new'),
  masterKeys('new', 'old'),
  masterKeys('new'),
];

let database: SampleDatabase;
let pool: Pool;
let owner: Pool;

/** A service that has just started with these master keys and has an empty cache. */
const instance = (keys: MasterKeys): Store =>
  new EventStore<Named, State>({
    pool,
    refusals: sampleRefusals,
    evolve: (state, { data }) => ({ notes: [...(state?.notes ?? []), data.note] }),
    stateVersion: 1,
    view: {
      table: 'sample_view',
      columns: { total: 'bigint', note: 'text' },
      personalColumns: ['note'],
      row: ({ notes }) => ({ total: notes.length, note: notes.at(-1) }),
    },
    eventTypes,
    personalData: { masterKeys: keys, ofState: fieldsOf<State>({ notes: 'personal' }) },
    hashKeys: keys.hashKeys(idempotencyPurpose),
    clock: new Clock(true),
    logger: silent,
  });
const begin = async (store: Store, note = 'Мария'): Promise<string> => {
  const streamId = newId();
  expect(await store.append({ streamId, events: [{ type: 'named', data: { note } }], actor: 'tester' })).toBe(
    'appended',
  );
  return streamId;
};
const mustRead = async (store: Store, streamId: string): Promise<void> =>
  expect(await store.load(streamId)).toMatchObject({ state: { notes: expect.arrayContaining(['Мария']) } });
const counts = async (): Promise<object> => Object.fromEntries(await countKeys(owner));

beforeAll(async () => {
  database = await startSampleDatabase({ more: custodyTables('payments') });
  [pool, owner] = [database.pool(), database.superuserPool('payments')];
});
afterAll(async () => database.stop());
beforeEach(async () => void (await database.sql('TRUNCATE payments.stream_key')));
afterEach(async () => void (await database.sql('TRUNCATE payments.events, payments.sample_view CASCADE')));

describe('a master key rotation', () => {
  it('lets every instance read and extend what the others wrote at each step, if the steps are done in order', async () => {
    const streams: string[] = [];
    const runTogether = async (...instances: readonly MasterKeys[]): Promise<void> => {
      for (const keys of instances) streams.push(await begin(instance(keys)));
      for (const keys of instances) {
        const store = instance(keys);
        for (const streamId of streams) {
          await mustRead(store, streamId);
          await store.change(streamId, () => ({ events: [{ type: 'named', data: { note: 'Иван' } }] }), {
            actor: 'tester',
          });
        }
      }
    };
    await runTogether(onlyOld, oldFirst);
    await runTogether(oldFirst, newFirst);
    expect(await counts()).toEqual({ old: 3, new: 1 });
    expect(await rotateKeys(owner, { masterKeys: newFirst })).toEqual({ rotated: 3, unreadable: new Map() });
    expect(await counts()).toEqual({ new: 4 });
    await runTogether(newFirst, onlyNew);
  });

  it('makes new data unreadable to instances with only the old key if the new key is moved to first place too early', async () => {
    const streamId = await begin(instance(newFirst));
    await expect(instance(onlyOld).load(streamId)).rejects.toMatchObject({
      refusal: 'not-now',
    });
  });

  it('runs in small batches alongside the appends of two services, and leaves no key under the old master key', async () => {
    const streams = await Promise.all(Array.from({ length: 40 }, async () => begin(instance(oldFirst))));
    const services = [instance(newFirst), instance(newFirst)];
    const rotating = new AbortController();
    const appending = services.map(async (store, index) => {
      for (let turn = index; !rotating.signal.aborted; turn += 2) {
        const streamId = streams[turn % streams.length] ?? '';
        const appended = await store.change(
          streamId,
          () => ({ events: [{ type: 'named', data: { note: `${turn}` } }] }),
          { actor: 'tester' },
        );
        expect(appended).toBeDefined();
        streams.push(await begin(store));
      }
    });
    const steps: number[] = [];
    const { rotated } = await rotateKeys(owner, {
      masterKeys: newFirst,
      batch: 7,
      onProgress: (done) => steps.push(done),
    });
    rotating.abort();
    await Promise.all(appending);
    expect(rotated).toBe(40);
    expect(steps.slice(0, 3)).toEqual([7, 14, 21]);
    expect(await counts()).toEqual({ new: streams.length });
    for (const streamId of streams) await mustRead(instance(onlyNew), streamId);
  });

  it('continues after an interruption, and changes nothing when repeated', async () => {
    for (let index = 0; index < 10; index += 1) await begin(instance(onlyOld));
    const stopping = new AbortController();
    const interrupted = rotateKeys(owner, {
      masterKeys: newFirst,
      batch: 3,
      signal: stopping.signal,
      onProgress: (done) => (done >= 6 ? stopping.abort() : undefined),
    });
    await expect(interrupted).rejects.toMatchObject({ name: 'AbortError' });
    expect(await counts()).toEqual({ new: 6, old: 4 });
    expect(await rotateKeys(owner, { masterKeys: newFirst })).toMatchObject({ rotated: 4 });
    expect(await rotateKeys(owner, { masterKeys: newFirst })).toMatchObject({ rotated: 0 });
  });

  it('does not change erased keys, or keys wrapped by a master key that it does not have', async () => {
    const [erased, streamId] = [await begin(instance(onlyOld)), await begin(instance(onlyOld))];
    await database.sql(
      'UPDATE payments.stream_key SET wrapped = NULL, master_key = NULL, erased_at = now() WHERE stream_id = $1',
      [erased],
    );
    await begin(instance(masterKeys('other')));
    expect(await rotateKeys(owner, { masterKeys: newFirst })).toEqual({
      rotated: 1,
      unreadable: new Map([['other', 1]]),
    });
    expect(await counts()).toEqual({ new: 1, other: 1 });
    await mustRead(instance(onlyNew), streamId);
    const [row] = await database.sql('SELECT wrapped FROM payments.stream_key WHERE stream_id = $1', [
      erased,
    ]);
    expect(row).toEqual({ wrapped: null });
  });
});
