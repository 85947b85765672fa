import { resources } from '@xs2a/resources/resources';
import type { EventResource } from '@xs2a/contracts/event-streams';
import {
  type ErasureOptions,
  eraseStreams,
  readErasureStatuses,
  type ErasureStatus,
} from '@xs2a/custody/personal-data/erase-streams';
import type { Connections } from '../connections.js';
import { readRetention } from '../archive/retention-settings.js';
import { readTimeZone } from '../events/read-models.js';
import { clearStreams } from './other-schemas.js';

/** Number of streams that are checked and erased in one transaction. */
export const streamsAtOnce = 100;

export const pagesOf = (streamIds: readonly string[], size = streamsAtOnce): string[][] =>
  Array.from({ length: Math.ceil(streamIds.length / size) }, (_, page) =>
    streamIds.slice(page * size, (page + 1) * size),
  );

/** The options for erasing streams of one of the bank's resources. */
export interface ErasureOptionsOf extends ErasureOptions {
  readonly resource: (typeof resources)[EventResource];
}

/** Reads the options for erasing streams of a resource now from the bank's settings. */
export const readErasureOptions = async (
  connections: Connections,
  resource: EventResource,
  despiteRetention = false,
): Promise<ErasureOptionsOf> => ({
  resource: resources[resource],
  nowMs: await connections.nowMs(),
  retainedYears: readRetention(resource).retainedYears,
  timeZone: readTimeZone(connections),
  despiteRetention,
});

/** Determines which streams of a resource may be erased now. */
export const readAllStatuses = async (
  connections: Connections,
  resource: EventResource,
  streamIds: readonly string[],
  despiteRetention = false,
): Promise<ErasureStatus[]> => {
  const erasing = await readErasureOptions(connections, resource, despiteRetention);
  const statuses: ErasureStatus[] = [];
  for (const page of pagesOf(streamIds))
    statuses.push(...(await readErasureStatuses(connections.pool(resource), page, erasing)));
  return statuses;
};

/**
 * Erases the streams of a page that may be erased now, including what other services store about them. Returns the
 * status found for each stream; `erasable` streams have been erased.
 */
export const erasePage = async (
  connections: Connections,
  streamIds: readonly string[],
  erasing: ErasureOptionsOf,
): Promise<ErasureStatus[]> => {
  const { name } = erasing.resource;
  const pool = connections.pool(name);
  const before = await readErasureStatuses(pool, streamIds, erasing);
  const ready = before.flatMap(({ status, streamId }) => (status === 'erasable' ? [streamId] : []));
  if (ready.length === 0) return before;
  await clearStreams(connections, name, ready);
  const erased = new Map(
    (await eraseStreams(pool, ready, erasing)).map((status) => [status.streamId, status]),
  );
  return before.map((status) => erased.get(status.streamId) ?? status);
};

/** The number of a resource's streams, by whether they can be erased. */
export interface ErasureCounts {
  readonly erased: number;
  /** The number of open streams. */
  readonly open: number;
  /** The number of streams under statutory retention, by the last day of the retention. */
  readonly retained: readonly { readonly until: string; readonly streams: number }[];
  /** Streams that cannot be erased because they started before personal data were encrypted. */
  readonly plain: readonly string[];
}

/** Counts the streams by whether they can be erased, excluding those already erased. */
export const countStatuses = (statuses: readonly ErasureStatus[]): ErasureCounts => {
  const until = new Map<string, number>();
  for (const one of statuses)
    if (one.status === 'retained') until.set(one.until, (until.get(one.until) ?? 0) + 1);
  return {
    erased: statuses.filter(({ status }) => status === 'erasable').length,
    open: statuses.filter(({ status }) => status === 'open').length,
    retained: [...until]
      .map(([day, streams]) => ({ until: day, streams }))
      .sort((one, other) => (one.until < other.until ? -1 : 1)),
    plain: statuses.flatMap(({ status, streamId }) => (status === 'plain' ? [streamId] : [])),
  };
};
