import type { ConsumerReport, EventStreamReport } from '@xs2a/contracts/console/event-stream.contract';
import { type EventResource, eventStreams } from '@xs2a/contracts/event-streams';
import { durationText } from '@xs2a/doctor/durations';
import { describeStream, readLag } from '@xs2a/doctor/event-streams';
import { momentIn } from '../pages/times.js';
import type { StreamReports } from './backlog.js';
import type { Finding, Repair } from './finding.js';
import { consumerBehindMs } from './thresholds.js';

/**
 * Returns the findings about JetStream: streams that are lost, incomplete or from another database, streams about which JetStream does
 * not respond, and consumers that are missing or behind.
 */
export const findStreams = (reports: StreamReports, nowMs: number): readonly Finding[] => [
  ...findSilence(
    reports.flatMap(([resource, { missing }]) => (missing === 'nats' ? eventStreams[resource] : [])),
  ),
  ...reports.flatMap(([resource, { answer }]) =>
    answer === undefined
      ? []
      : [
          ...findStream(resource, answer),
          // JetStream deletes the consumers of a stream together with the stream; separate findings about them would only repeat this.
          ...(answer.state === undefined
            ? []
            : answer.consumers.flatMap((one) => findConsumer(answer.stream, one, nowMs))),
        ],
  ),
];

const common = {
  level: 'attention',
  place: '/services',
  evidence: { to: '/services', text: 'Show the streams' },
} as const;

const republishing =
  'Before you publish all events again, read the runbook and stop the service: the stream may hold the only copy of events that the database lost.';

const republish = (resource: EventResource): Repair => ({
  command: `xs2a events republish --resource ${resource}`,
});

/** Returns the finding that JetStream does not respond. A service that does not respond is reported by a different finding. */
const findSilence = (streams: readonly string[]): readonly Finding[] =>
  streams.length === 0
    ? []
    : [
        {
          ...common,
          sentence: `JetStream does not answer about the stream ${streams.join(' and the stream ')}`,
          details: [
            'It is not known whether events are published. PostgreSQL has every event, and payments settle.',
          ],
          runbook: 'nats-lost-its-files',
          repairs: [{ command: 'xs2a doctor' }],
        },
      ];

const findStream = (resource: EventResource, report: EventStreamReport): readonly Finding[] => {
  const { stream } = report;
  const { state, text } = describeStream(report);
  if (state === 'good') return [];
  if (state === 'foreign')
    return [
      {
        ...common,
        sentence: `The stream ${stream} is not a copy of this database: ${text}`,
        details: [
          'PostgreSQL has every event, and payments settle. Programs that read the stream wait.',
          republishing,
        ],
        runbook: 'database-went-back',
        repairs: [republish(resource)],
      },
    ];
  if (state === 'incomplete')
    return [
      {
        ...common,
        sentence: `The stream ${stream} has a gap: ${text}`,
        details: ['PostgreSQL has every event; programs that read the stream lack some.', republishing],
        runbook: 'nats-lost-its-files',
        repairs: [republish(resource)],
      },
    ];
  return [
    {
      ...common,
      sentence: `JetStream has lost the stream ${stream}: no event is published`,
      details: ['PostgreSQL has every event, and payments settle. Programs that read the stream wait.'],
      runbook: 'nats-lost-its-files',
      repairs: [{ command: 'xs2a jetstream make' }],
    },
  ];
};

const findConsumer = (stream: string, report: ConsumerReport, nowMs: number): readonly Finding[] => {
  const { consumer, state } = report;
  if (state === undefined)
    return [
      {
        ...common,
        sentence: `JetStream has no consumer ${consumer} of the stream ${stream}`,
        details: ['The new one gets every event that the stream holds.'],
        runbook: 'dead-letter',
        repairs: [{ command: 'xs2a jetstream make' }],
      },
    ];
  const { events, ms } = readLag(report, nowMs);
  if (ms < consumerBehindMs) return [];
  const oldest = state.oldestAt === undefined ? '' : `, since ${momentIn(state.oldestAt)}`;
  return [
    {
      ...common,
      sentence: `The consumer ${consumer} is behind: ${events} ${events === 1 ? 'event waits' : 'events wait'}, the oldest for ${durationText(ms)}${oldest}`,
      details: state.isReading ? [] : ['No instance requests events.'],
      runbook: 'dead-letter',
      repairs: [{ command: 'xs2a consumers' }],
    },
  ];
};
