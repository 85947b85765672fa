import { expect, it } from '@jest/globals';
import type { ConsumerReport, EventStreamReport } from '@xs2a/contracts/console/event-stream.contract';
import { at, others, running, volume } from '../testing/observed.js';
import type { StreamReports } from './backlog.js';
import { findFindings } from './findings.js';

const state = { pending: 3, ackPending: 1, redelivered: 0, ackFloor: 7, isReading: true };
const payments = (
  over: Partial<EventStreamReport> = {},
  ...consumers: readonly ConsumerReport[]
): EventStreamReport => ({
  stream: 'PAYMENTS',
  head: 9,
  state: { messages: 9, bytes: 900, lastSequence: 9, missing: 0, published: 9 },
  consumers,
  ...over,
});
const find = (report: EventStreamReport) => findIn([['payments', { answer: report }]]);
const findIn = (streams: StreamReports) =>
  findFindings({
    instances: [...others, running()],
    volume: volume([]),
    waiting: { streams },
    startedForMs: 60_000,
    atMs: at('12:00:00').getTime(),
  });

it('reports a lost JetStream stream as one finding, without findings about its consumers', () => {
  expect(find(payments({ state: undefined }, { consumer: 'settlement' }))).toEqual([
    expect.objectContaining({
      level: 'attention',
      sentence: 'JetStream has lost the stream PAYMENTS: no event is published',
      runbook: 'nats-lost-its-files',
      repairs: [{ command: 'xs2a jetstream make' }],
    }),
  ]);
});

it('reports in one finding all streams about which JetStream does not respond, but no stream whose service does not respond', () => {
  const silent = { missing: 'nats' };
  expect(
    findIn([
      ['payments', silent],
      ['consents', silent],
    ]),
  ).toEqual([
    expect.objectContaining({
      sentence: 'JetStream does not answer about the stream PAYMENTS and the stream CONSENTS',
      runbook: 'nats-lost-its-files',
      repairs: [{ command: 'xs2a doctor' }],
    }),
  ]);
  expect(
    findIn([
      ['payments', silent],
      ['consents', { missing: 'consents' }],
    ]),
  ).toEqual([expect.objectContaining({ sentence: 'JetStream does not answer about the stream PAYMENTS' })]);
});

it('reports a JetStream stream with missing messages, and the command that republishes its events', () => {
  const { state: of } = payments();
  expect(find(payments({ state: of && { ...of, missing: 2 } }))).toEqual([
    expect.objectContaining({
      sentence: 'The stream PAYMENTS has a gap: 2 messages are missing',
      repairs: [{ command: 'xs2a events republish --resource payments' }],
    }),
  ]);
});

it('reports a JetStream stream that ends after the log, because it is not a copy of this database', () => {
  expect(find(payments({ head: 7 }))).toEqual([
    expect.objectContaining({
      level: 'attention',
      sentence:
        'The stream PAYMENTS is not a copy of this database: it ends 2 positions after the log, so nothing is published',
      runbook: 'database-went-back',
      repairs: [{ command: 'xs2a events republish --resource payments' }],
    }),
  ]);
});

it('reports the missing consumer of a JetStream stream in addition to its missing messages', () => {
  const { state: of } = payments();
  const found = find(payments({ state: of && { ...of, missing: 2 } }, { consumer: 'settlement' }));
  expect(found.map(({ sentence }) => sentence)).toEqual([
    'The stream PAYMENTS has a gap: 2 messages are missing',
    'JetStream has no consumer settlement of the stream PAYMENTS',
  ]);
});

it('reports a missing JetStream consumer, and the command that creates it', () => {
  expect(find(payments({}, { consumer: 'settlement' }))).toEqual([
    expect.objectContaining({
      sentence: 'JetStream has no consumer settlement of the stream PAYMENTS',
      runbook: 'dead-letter',
      repairs: [{ command: 'xs2a jetstream make' }],
    }),
  ]);
});

it('reports a JetStream consumer, and since when it is behind, once its oldest event has waited for a minute', () => {
  const behind = (oldestAt: string, isReading = true) =>
    find(payments({}, { consumer: 'settlement', state: { ...state, oldestAt, isReading } }));
  expect(behind('2026-11-27T11:59:01.000Z')).toEqual([]);
  expect(behind('2026-11-27T11:58:00.000Z', false)).toEqual([
    expect.objectContaining({
      level: 'attention',
      sentence:
        'The consumer settlement is behind: 4 events wait, the oldest for 2 min, since 2026-11-27 11:58:00 UTC',
      details: ['No instance requests events.'],
      place: '/services',
      runbook: 'dead-letter',
      repairs: [{ command: 'xs2a consumers' }],
    }),
  ]);
});
