import { custodyTables } from '../custody.tables.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import type { Pool } from 'pg';
import type { EventStore } from '@xs2a/event-store/streams/event-store';
import {
  beginNamed,
  type Named,
  type NamedState,
  personsStore,
  personsView,
} from '../testing/sample-persons.js';
import { type SampleDatabase, startSampleDatabase } from '@xs2a/event-store/testing/sample-stream';
import { findStreams } from './find-streams.js';

let database: SampleDatabase;
let pool: Pool;
let store: EventStore<Named, NamedState>;

beforeAll(async () => {
  database = await startSampleDatabase({ more: custodyTables('payments') });
  pool = database.pool();
  store = personsStore(pool);
});
afterAll(async () => database.stop());

const begin = async (note: string): Promise<string> => beginNamed(store, note);
const find = async (psuIds: string[], ibans: string[] = []) => {
  const [found, unreadable]: [string[], string[]] = [[], []];
  let read = 0;
  for await (const { streamId, state } of findStreams(
    pool,
    { psuIds, ibans },
    {
      views: [personsView],
      masterKeys: testMasterKeys,
      timeZone: 'UTC',
      onUnreadable: (id) => unreadable.push(id),
      onProgress: (streams) => (read = streams),
    },
  )) {
    expect([...psuIds, ...ibans]).toContain((state as NamedState).note);
    found.push(streamId);
  }
  return { found, unreadable, read };
};

describe('the streams of a person', () => {
  it('are found on every page by the encrypted data in their states, and those of other persons are not', async () => {
    const early = await begin('maria');
    await Promise.all(Array.from({ length: 510 }, async () => begin('ivan')));
    const [late, account] = [await begin('maria'), await begin('BG80')];
    expect(await find(['maria'], ['BG80'])).toMatchObject({
      found: [early, late, account].toSorted(),
      read: 513,
    });
    expect(await find(['nobody'])).toMatchObject({ found: [] });
  });

  it('are found even if the state of another stream cannot be read, and that stream is reported', async () => {
    const [broken, whole] = [await begin('ana'), await begin('ana')];
    await database.sql(
      `UPDATE payments.sample_view SET state = jsonb_set(state::jsonb, '{personal}', '"AAAA"') WHERE stream_id = $1`,
      [broken],
    );
    expect(await find(['ana'])).toMatchObject({ found: [whole], unreadable: [broken] });
  });
});
