import type { Involved, Persons } from '@xs2a/domain/persons';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import { keyPages, lowestId } from '@xs2a/postgres/key-pages';
import type { Pool } from 'pg';
import type { PersonsView } from '../custody-resource.js';
import { quotedName } from '@xs2a/event-store/streams/quoted-name';
import { readStates } from '@xs2a/event-store/streams/stream-histories';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';

const pageSize = 500;

/** A payment, consent or basket in a status view that contains data of a given person. */
export interface FoundStream {
  readonly streamId: string;
  /** The name of the status view. */
  readonly table: string;
  /** The current state of the stream, with its personal data decrypted. */
  readonly state: unknown;
  readonly persons: Involved;
}

export interface Searching {
  readonly views: readonly PersonsView[];
  readonly masterKeys: MasterKeys;
  /** The bank's time zone. */
  readonly timeZone: string;
  /** Called with each stream whose personal data cannot be decrypted, so that it is unknown to whom they belong. */
  readonly onUnreadable: (streamId: string, error: unknown) => void;
  /** Called after each page with the number of streams read. */
  readonly onProgress?: (streams: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Yields the streams in the status views that name one of these PSUs or accounts. Reads and decrypts every state,
 * because accounts, and PSUs named by a TPP, are not stored anywhere else. Each page is one short statement, so no
 * snapshot is kept open between pages.
 */
export async function* findStreams(
  pool: Pool,
  { psuIds, ibans }: Persons,
  options: Searching,
): AsyncGenerator<FoundStream> {
  const [psusAsked, ibansAsked] = [new Set(psuIds), new Set(ibans)];
  for await (const stream of readStreams(pool, options)) {
    const { persons } = stream;
    if (persons.psuIds.some((id) => psusAsked.has(id)) || persons.ibans.some((iban) => ibansAsked.has(iban)))
      yield stream;
  }
}

async function* readStreams(
  pool: Pool,
  { views, masterKeys, timeZone, onUnreadable, onProgress, signal }: Searching,
): AsyncGenerator<FoundStream> {
  let read = 0;
  for (const view of views) {
    const folding = {
      ...view.folding(timeZone),
      personalData: { masterKeys, ofState: view.fields },
    };
    const pages = keyPages({ stream_id: lowestId }, async (after) => {
      signal?.throwIfAborted();
      return pool.query<StateRow>(
        `SELECT stream_id, version, state, ${streamKeyOf('v')} AS stream_key FROM ${quotedName(view.table)} v
         WHERE stream_id > $1 ORDER BY stream_id LIMIT ${pageSize}`,
        [after.stream_id],
      );
    });
    for await (const rows of pages) {
      const states = await readStates(pool, folding, rows, onUnreadable);
      for (const [index, { stream_id: streamId }] of rows.entries()) {
        const state = states[index];
        if (state === undefined) continue;
        yield { streamId, table: view.table, state, persons: view.persons(state) };
      }
      read += rows.length;
      onProgress?.(read);
    }
  }
}
