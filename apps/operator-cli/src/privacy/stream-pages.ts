import { resources } from '@xs2a/resources/resources';
import type { EventResource } from '@xs2a/contracts/event-streams';
import {
  type Forgetting,
  forgetStreams,
  judgeStreams,
  type ErasureStatus,
} from '@xs2a/custody/personal-data/forget-streams';
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
export interface ForgettingOf extends Forgetting {
  readonly resource: (typeof resources)[EventResource];
}

/** Reads the options for erasing streams of a resource now from the bank's settings. */
export const readForgetting = async (
  connections: Connections,
  resource: EventResource,
  despiteRetention = false,
): Promise<ForgettingOf> => ({
  resource: resources[resource],
  nowMs: await connections.nowMs(),
  retainedYears: readRetention(resource).retainedYears,
  timeZone: readTimeZone(connections),
  despiteRetention,
});

/** Determines which streams of a resource may be erased now. */
export const judgeAll = async (
  connections: Connections,
  resource: EventResource,
  streamIds: readonly string[],
  despiteRetention = false,
): Promise<ErasureStatus[]> => {
  const forgetting = await readForgetting(connections, resource, despiteRetention);
  const statuses: ErasureStatus[] = [];
  for (const page of pagesOf(streamIds))
    statuses.push(...(await judgeStreams(connections.pool(resource), page, forgetting)));
  return statuses;
};

/**
 * Erases the streams of a page that may be erased now, including what other services store about them. Returns the
 * status found for each stream; `forgettable` streams have been erased.
 */
export const forgetPage = async (
  connections: Connections,
  streamIds: readonly string[],
  forgetting: ForgettingOf,
): Promise<ErasureStatus[]> => {
  const { name } = forgetting.resource;
  const pool = connections.pool(name);
  const judged = await judgeStreams(pool, streamIds, forgetting);
  const ready = judged.flatMap(({ status, streamId }) => (status === 'forgettable' ? [streamId] : []));
  if (ready.length === 0) return judged;
  await clearStreams(connections, name, ready);
  const forgotten = new Map(
    (await forgetStreams(pool, ready, forgetting)).map((status) => [status.streamId, status]),
  );
  return judged.map((status) => forgotten.get(status.streamId) ?? status);
};

/** The number of a resource's streams, by whether they can be erased. */
export interface ErasureCounts {
  readonly forgotten: number;
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
    forgotten: statuses.filter(({ status }) => status === 'forgettable').length,
    open: statuses.filter(({ status }) => status === 'open').length,
    retained: [...until]
      .map(([day, streams]) => ({ until: day, streams }))
      .sort((one, other) => (one.until < other.until ? -1 : 1)),
    plain: statuses.flatMap(({ status, streamId }) => (status === 'plain' ? [streamId] : [])),
  };
};
