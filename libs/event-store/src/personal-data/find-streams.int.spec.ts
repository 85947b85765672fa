import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventType, type EventTypes, sealsPersonalData, withPersonal } from '@xs2a/domain/event-types';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import type { Pool } from 'pg';
import type { KnownView } from '../resources.js';
import { EventStore } from '../streams/event-store.js';
import { type SampleDatabase, silent, startSampleDatabase } from '../testing/sample-stream.js';
import { findStreams } from './find-streams.js';

interface Named {
  readonly type: 'named';
  readonly data: { readonly note: string };
}
interface State {
  readonly total: number;
  readonly note: string;
}
const eventTypes: EventTypes<'named'> = {
  named: withPersonal({ note: true }, eventType('A name was given.', sealsPersonalData)),
};
const folding = {
  evolve: (state: State | undefined, { data }: Named): State => ({
    total: (state?.total ?? 0) + 1,
    note: data.note,
  }),
  stateVersion: 1,
  view: {
    table: 'sample_view',
    columns: { total: 'bigint' as const },
    row: ({ total }: State) => ({ total }),
  },
  eventTypes,
};
/** The note is a PSU-ID, or an IBAN. */
const view: KnownView = {
  table: 'sample_view',
  personal: { note: true },
  persons: (state) => {
    const { note } = state as State;
    return note.startsWith('BG') ? { psuIds: [], ibans: [note] } : { psuIds: [note], ibans: [] };
  },
  folding: () => folding as unknown as ReturnType<KnownView['folding']>,
};

let database: SampleDatabase;
let pool: Pool;
let store: EventStore<Named, State>;

beforeAll(async () => {
  database = await startSampleDatabase();
  pool = database.pool();
  store = new EventStore<Named, State>({
    ...folding,
    pool,
    resource: 'payments',
    personalData: { masterKeys: testMasterKeys, ofState: view.personal },
    clock: new Clock(true),
    logger: silent,
  });
});
afterAll(async () => database.stop());

const begin = async (note: string): Promise<string> => {
  const streamId = newId();
  await store.append({ streamId, events: [{ type: 'named', data: { note } }], actor: 'tester' });
  return streamId;
};
const find = async (psuIds: string[], ibans: string[] = []) => {
  const [found, unreadable]: [string[], string[]] = [[], []];
  let read = 0;
  for await (const { streamId, state } of findStreams(
    pool,
    { psuIds, ibans },
    {
      views: [view],
      masterKeys: testMasterKeys,
      timeZone: 'UTC',
      onUnreadable: (id) => unreadable.push(id),
      onProgress: (streams) => (read = streams),
    },
  )) {
    expect([...psuIds, ...ibans]).toContain((state as State).note);
    found.push(streamId);
  }
  return { found, unreadable, read };
};

describe('the streams of a person', () => {
  it('are found by what is encrypted in their states, on every page, and no others', async () => {
    const early = await begin('maria');
    await Promise.all(Array.from({ length: 510 }, async () => begin('ivan')));
    const [late, account] = [await begin('maria'), await begin('BG80')];
    expect(await find(['maria'], ['BG80'])).toMatchObject({
      found: [early, late, account].toSorted(),
      read: 513,
    });
    expect(await find(['nobody'])).toMatchObject({ found: [] });
  });

  it('are told of when a state cannot be read; the others are found', async () => {
    const [broken, whole] = [await begin('ana'), await begin('ana')];
    await database.sql(
      `UPDATE payments.sample_view SET state = jsonb_set(state::jsonb, '{personal}', '"AAAA"') WHERE stream_id = $1`,
      [broken],
    );
    expect(await find(['ana'])).toMatchObject({ found: [whole], unreadable: [broken] });
  });
});
