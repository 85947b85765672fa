import type { EventResource } from '@xs2a/contracts/event-streams';
import { readArchive } from '@xs2a/custody/archive/archive-file';
import type { Persons } from '@xs2a/domain/persons';
import { findStreams } from '@xs2a/custody/personal-data/find-streams';
import type { ErasureStatus } from '@xs2a/custody/personal-data/erase-streams';
import { findArchivedStreams, readTagger } from '@xs2a/custody/personal-data/person-tags';
import {
  decryptStored,
  placeOfEvent,
  readStreamKeys,
  unwrapped,
} from '@xs2a/event-store/encryption/stream-keys';
import { resources, type StreamKind, streamKinds } from '@xs2a/resources/resources';
import { maxStreams, readHistories } from '@xs2a/event-store/streams/stream-histories';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import type { Connections } from '../connections.js';
import { readTimeZone } from '../events/read-models.js';
import { readAllStatuses, pagesOf } from './stream-pages.js';

interface ExportedEvent {
  readonly version: number;
  readonly type: string;
  readonly occurredAt: string;
  readonly data: unknown;
}

/** A payment, consent or basket, with everything stored about it. */
interface ExportedStream {
  readonly id: string;
  readonly kind: StreamKind;
  /** The current state, built from the events; absent if the stream is archived. */
  readonly state?: unknown;
  readonly events: readonly ExportedEvent[];
  /** Whether it may be erased now and, during statutory retention, the last day of that period. */
  readonly retention: Omit<ErasureStatus, 'streamId'>;
  /** The archive file from which the stream was read; absent if it was read from the database. */
  readonly file?: string;
}

export interface PersonStreams {
  readonly streams: readonly ExportedStream[];
  /** The ids of archived streams that are in none of the given files. */
  readonly archived: readonly string[];
  /** The ids of streams whose personal data cannot be decrypted, so their owners are unknown. */
  readonly unreadable: readonly string[];
  /** Tags of the person, for the request log. */
  readonly tags: readonly string[];
}

export interface Reading {
  readonly asked: Persons;
  /** The archive files to read, for any month and resource. */
  readonly files: readonly string[];
  readonly signal: AbortSignal;
}

/** Reads everything about a person in a resource's events and status views. */
export const readPersonStreams = async (
  connections: Connections,
  resource: EventResource,
  { asked, files, signal }: Reading,
): Promise<PersonStreams> => {
  const pool = connections.pool(resource);
  const masterKeys = await connections.mustHaveMasterKeys(resource);
  const tagger = await readTagger(pool, masterKeys);
  const unreadable: string[] = [];
  const found = new Map<string, { readonly kind: StreamKind; readonly state: unknown }>();
  for await (const { streamId, table, state } of findStreams(pool, asked, {
    views: resources[resource].views,
    masterKeys,
    timeZone: readTimeZone(connections),
    onUnreadable: (streamId) => unreadable.push(streamId),
    signal,
  }))
    found.set(streamId, { kind: findKind(resource, ({ view }) => view.table === table), state });
  const events = await readEvents(connections, resource, [...found.keys()], masterKeys);
  const inArchives = (await findArchivedStreams(pool, tagger.ofAsked(asked)))
    .map(({ streamId }) => streamId)
    .filter((streamId) => !found.has(streamId));
  const fromFiles = await readFiles(connections, resource, { files, wanted: inArchives, masterKeys });
  const statuses = new Map(
    (await readAllStatuses(connections, resource, [...found.keys(), ...fromFiles.keys()])).map(
      ({ streamId, ...status }) => [streamId, status],
    ),
  );
  const retention = (id: string): Omit<ErasureStatus, 'streamId'> =>
    statuses.get(id) ?? { status: 'unknown' };
  return {
    streams: [
      ...[...found].map(([id, stream]) => ({
        id,
        ...stream,
        events: events.get(id) ?? [],
        retention: retention(id),
      })),
      ...[...fromFiles].map(([id, archived]) => ({ id, ...archived, retention: retention(id) })),
    ],
    archived: inArchives.filter((id) => !fromFiles.has(id)),
    unreadable,
    tags: tagger.ofLogged(asked),
  };
};

const readEvents = async (
  connections: Connections,
  resource: EventResource,
  streamIds: readonly string[],
  masterKeys: MasterKeys,
): Promise<ReadonlyMap<string, readonly ExportedEvent[]>> => {
  const events = new Map<string, readonly ExportedEvent[]>();
  for (const page of pagesOf(streamIds, maxStreams))
    for (const history of await readHistories(connections.pool(resource), page, { masterKeys }))
      events.set(
        history[0]?.stream_id ?? '',
        history.map(({ version, type, occurred_at: at, readData }) => ({
          version,
          type,
          occurredAt: at.toISOString(),
          data: readData(),
        })),
      );
  return events;
};

interface ArchivedStream {
  readonly kind: StreamKind;
  readonly events: readonly ExportedEvent[];
  readonly file: string;
}

/** Throws an error if no kind matches, which means that an older release reads the events of a newer one. */
const findKind = (
  resource: EventResource,
  matches: (kind: (typeof streamKinds)[EventResource][number]) => boolean,
): StreamKind => {
  const kind = streamKinds[resource].find(matches);
  if (kind === undefined) throw new Error(`${resource} has no such kind of stream`);
  return kind.name;
};

/** Reads the streams from the archive files, each file once, and decrypts them with their keys from the database. */
const readFiles = async (
  connections: Connections,
  resource: EventResource,
  {
    files,
    wanted,
    masterKeys,
  }: {
    readonly files: readonly string[];
    readonly wanted: readonly string[];
    readonly masterKeys: MasterKeys;
  },
): Promise<ReadonlyMap<string, ArchivedStream>> => {
  const keys = await readStreamKeys(connections.pool(resource), wanted);
  const found = new Map<string, ArchivedStream & { readonly events: ExportedEvent[] }>();
  for (const file of files)
    for await (const { line } of readArchive(file)) {
      if (line.kind !== 'event' || !keys.has(line.streamId)) continue;
      const { streamId, eventId, version, type, occurredAt } = line;
      const stream = found.get(streamId) ?? {
        kind: findKind(resource, ({ types }) => Object.hasOwn(types, type)),
        events: [],
        file,
      };
      const key = unwrapped(keys.get(streamId), { masterKeys });
      const data = decryptStored(line.data, { streamId, place: placeOfEvent(eventId), key });
      stream.events.push({ version, type, occurredAt, data });
      found.set(streamId, stream);
    }
  return found;
};
