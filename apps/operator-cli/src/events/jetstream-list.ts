import type { EventStreamReport } from '@xs2a/contracts/console/event-stream.contract';
import { bytesText } from '@xs2a/doctor/bytes';
import { describeStream, verifiedText } from '@xs2a/doctor/event-streams';
import { readCopyReport } from '@xs2a/event-store/verification/copy-report';
import { defineCommand } from '../command-line/define-command.js';
import { table } from '../command-line/output.js';
import type { Connections } from '../connections.js';
import { resourceNames } from './resource-option.js';

type StreamReport = Pick<EventStreamReport, 'stream' | 'head' | 'state'>;

/** Reads the report on each JetStream stream with the operator's NATS permissions. The reports contain no consumers. */
const readStreams = async (connections: Connections): Promise<readonly StreamReport[]> => {
  const nats = await connections.nats();
  return Promise.all(
    resourceNames.map(async (resource) => {
      const pool = connections.pool(resource);
      const { stream, head, state } = await readCopyReport({ nats, pool, resource, consumers: [] });
      return { stream, head, state };
    }),
  );
};

const streamsText = (reports: readonly StreamReport[]): string =>
  table(reports, {
    stream: ({ stream }) => stream,
    state: (report) => describeStream(report).state,
    messages: ({ state }) => state?.messages ?? '–',
    size: ({ state }) => (state === undefined ? '–' : bytesText(state.bytes)),
    'last sequence': ({ state }) => state?.lastSequence ?? '–',
    'published up to': ({ state }) => state?.published ?? '–',
    'log ends at': ({ head }) => head,
    'verified up to': ({ state }) => (state === undefined ? '–' : verifiedText(state.verified)),
    note: (report) => describeStream(report).text,
  });

/** The command `xs2a jetstream list`: prints the table of streams that the console shows. `xs2a consumers` prints the consumers. */
export const listStreams = defineCommand({
  name: 'list',
  help: 'event streams: size, position, and up to where the copy was verified',
  run: async ({ connections, output }) => {
    const reports = await readStreams(connections);
    output.showRows(reports, streamsText(reports));
  },
});
