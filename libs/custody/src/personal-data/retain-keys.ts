import { retainedUntil } from '@xs2a/domain/time/retention';
import { MasterKeyMissing, type MasterKeys } from '@xs2a/runtime/master-keys';
import { keyPages } from '@xs2a/postgres/key-pages';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool } from 'pg';
import { formerTable } from '../archive/month-partition.js';
import type { Month } from '@xs2a/event-store/months/months';
import type { Leaving } from '../archive/remove-archived.js';
import type { PersonsView } from '../custody-resource.js';
import { quotedName } from '@xs2a/event-store/streams/quoted-name';
import { readStates } from '@xs2a/event-store/streams/stream-histories';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import { lockKeys } from './lock-keys.js';
import { readTagger } from './person-tags.js';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';

interface Retaining {
  readonly views: readonly PersonsView[];
  readonly masterKeys: MasterKeys;
  readonly retainedYears: number;
  readonly timeZone: string;
}

/**
 * For each stream that is archived from a status view, stores the last day of retention and the tags of its
 * persons together with its key. Afterwards, this information is nowhere else in the database. A stream whose
 * state cannot be read gets no tags. Throws MasterKeyMissing.
 */
export const keyRetention = async (
  pool: Pool,
  { views, masterKeys, retainedYears, timeZone }: Retaining,
): Promise<Leaving> => {
  const tagger = await readTagger(pool, masterKeys);
  return async (month, table, streamIds) => {
    const view = views.find((one) => one.table === table);
    if (view === undefined) throw new Error(`${table} is no status view`);
    const { rows } = await pool.query<StateRow & { readonly last_at: Date | null }>(
      `SELECT stream_id, version, state, ${streamKeyOf('v')} AS stream_key,
         (SELECT max(e.occurred_at) FROM ${formerTable(month)} e WHERE e.stream_id = v.stream_id) AS last_at
       FROM ${quotedName(table)} v WHERE stream_id = ANY($1::uuid[]) ORDER BY stream_id`,
      [streamIds],
    );
    const folding = { ...view.folding(timeZone), personalData: { masterKeys, ofState: view.fields } };
    const states = await readStates(pool, folding, rows, (_, error) => {
      if (error instanceof MasterKeyMissing) throw error;
    });
    const kept = rows.map(({ stream_id, last_at }, index) => {
      const state = states[index];
      return {
        stream_id,
        until: last_at === null ? null : retainedUntil(last_at.toISOString(), retainedYears, timeZone),
        tags: state === undefined ? [] : tagger.ofStored(view.persons(state)),
      };
    });
    await inTransaction(pool, async (client) => {
      await lockKeys(client, streamIds);
      await client.query(
        `UPDATE stream_key k SET retained_until = r.until, tags = r.tags
         FROM json_to_recordset($1) AS r (stream_id uuid, until date, tags bigint[])
         WHERE k.stream_id = r.stream_id AND k.wrapped IS NOT NULL`,
        [JSON.stringify(kept)],
      );
    });
  };
};

const keysAtOnce = 1000;

/** Clears the end of retention of the stream keys of a month whose events were restored. */
export const endKeyRetention = async (pool: Pool, { from, to }: Month): Promise<void> => {
  const pages = keyPages({ stream_id: from }, async (after) =>
    pool.query<{ stream_id: string }>(
      `SELECT stream_id FROM stream_key k WHERE stream_id > $1 AND stream_id < $2 AND retained_until IS NOT NULL
         AND EXISTS (SELECT FROM events e WHERE e.stream_id = k.stream_id) ORDER BY stream_id LIMIT ${keysAtOnce}`,
      [after.stream_id, to],
    ),
  );
  for await (const page of pages) {
    const ids = page.map(({ stream_id }) => stream_id);
    await inTransaction(pool, async (client) => {
      await lockKeys(client, ids);
      await client.query(
        'UPDATE stream_key SET retained_until = NULL, tags = NULL WHERE stream_id = ANY($1::uuid[])',
        [ids],
      );
    });
  }
};
