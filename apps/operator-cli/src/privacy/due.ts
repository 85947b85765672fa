import type { EventResource } from '@xs2a/contracts/event-streams';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { dueToErase, type RetainedStreams, retainedStreams } from '@xs2a/custody/personal-data/erasures';
import {
  type ErasureOptions,
  readErasureStatuses,
  type ErasureStatus,
} from '@xs2a/custody/personal-data/erase-streams';
import { defineCommand } from '../command-line/define-command.js';
import { flag } from '../command-line/options.js';
import { type Output, table } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';
import type { Connections } from '../connections.js';
import { resourceNames } from '../events/resource-option.js';
import {
  countStatuses,
  erasePage,
  type ErasureOptionsOf,
  readErasureOptions,
  type ErasureCounts,
  streamsAtOnce,
} from './stream-pages.js';

const todayOf = ({ nowMs, timeZone }: ErasureOptions): string =>
  toBankDate(new Date(nowMs).toISOString(), timeZone);

/** Processes each page of streams that are marked for erasure or past their retention. */
const eachPage = async (
  connections: Connections,
  erasing: ErasureOptionsOf,
  work: (streamIds: readonly string[]) => Promise<ErasureStatus[]>,
  signal: AbortSignal,
): Promise<ErasureCounts> => {
  const statuses: ErasureStatus[] = [];
  const pool = connections.pool(erasing.resource.name);
  for await (const page of dueToErase(pool, { today: todayOf(erasing), limit: streamsAtOnce })) {
    signal.throwIfAborted();
    statuses.push(...(await work(page)));
  }
  return countStatuses(statuses);
};

const showDays = (
  output: Output,
  resource: EventResource,
  { days, today, waiting }: { days: readonly RetainedStreams[]; today: string; waiting: ErasureCounts },
): void => {
  const rows = [
    ...days.map(({ retainedUntil, streams }) => ({
      what: 'archived',
      until: retainedUntil,
      streams,
      isOver: retainedUntil < today,
    })),
    ...(waiting.open > 0 ? [{ what: 'asked, open', until: null, streams: waiting.open, isOver: false }] : []),
    ...waiting.retained.map(({ until, streams }) => ({ what: 'asked', until, streams, isOver: false })),
    ...(waiting.erased > 0
      ? [{ what: 'asked, or past retention', until: null, streams: waiting.erased, isOver: true }]
      : []),
  ];
  output.showRows(
    rows.map((row) => ({ resource, ...row })),
    table(
      rows,
      {
        resource: () => resource,
        what: ({ what }) => what,
        'kept until': ({ until }) => until,
        streams: ({ streams }) => streams,
        run: ({ isOver }) => (isOver ? xs2a('privacy due --erase') : ''),
      },
      `${resource}: nothing to erase.`,
    ),
  );
};

export const due = defineCommand({
  name: 'due',
  help: 'data that is erased when its retention ends, and pending erasure requests',
  options: { erase: flag('erases what is due today; needs no master keys; repeatable') },
  run: async ({ connections, output, options, interrupted }) => {
    const signal = interrupted();
    for (const resource of resourceNames) {
      const erasing = await readErasureOptions(connections, resource);
      const pool = connections.pool(resource);
      const done = await eachPage(
        connections,
        erasing,
        async (page) =>
          options.erase ? erasePage(connections, page, erasing) : readErasureStatuses(pool, page, erasing),
        signal,
      );
      if (options.erase) {
        const waits = done.open + done.retained.reduce((sum, { streams }) => sum + streams, 0);
        const text = `${resource}: ${done.erased} erased, ${waits} requested and waiting`;
        output.show({ resource, ...done }, text);
      } else {
        const days = await retainedStreams(pool);
        showDays(output, resource, { days, today: todayOf(erasing), waiting: done });
      }
    }
  },
});
