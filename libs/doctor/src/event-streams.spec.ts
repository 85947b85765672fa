import { expect, it } from '@jest/globals';
import { describeConsumer, describeStream, readLag, verifiedText } from './event-streams.js';

const nowMs = Date.parse('2026-11-27T12:00:00.000Z');
const state = { pending: 0, ackPending: 0, redelivered: 0, ackFloor: 9, isReading: true };
const consumer = (over: Partial<typeof state> & { readonly oldestAt?: string } = {}) => ({
  consumer: 'settlement',
  state: { ...state, ...over },
});
const stream = { messages: 9, bytes: 900, lastSequence: 9, missing: 0, published: 9 };

it.each([
  ['that acknowledged every event', consumer(), 'good', ''],
  [
    'whose oldest event has waited for 5 seconds',
    consumer({ pending: 3, oldestAt: '2026-11-27T11:59:55.000Z' }),
    'good',
    '',
  ],
  [
    'whose oldest event has waited for a minute',
    consumer({ pending: 3, oldestAt: '2026-11-27T11:59:00.000Z' }),
    'behind',
    'the oldest event has waited for 1 min',
  ],
  [
    'that no instance reads',
    consumer({ pending: 3, isReading: false, oldestAt: '2026-11-27T11:59:00.000Z' }),
    'behind',
    'the oldest event has waited for 1 min; no instance requests events',
  ],
  ['that JetStream does not have', { consumer: 'settlement' }, 'missing', 'JetStream has no such consumer'],
] as const)('describes the state of a JetStream consumer %s', (_which, report, expected, text) => {
  expect(describeConsumer(report, nowMs)).toEqual({ state: expected, text });
});

it('reports as lag of a consumer both the undelivered and the unacknowledged events, and the age of the oldest', () => {
  const oldestAt = '2026-11-27T11:59:59.000Z';
  expect(readLag(consumer({ pending: 3, ackPending: 2, oldestAt }), nowMs)).toEqual({ events: 5, ms: 1000 });
  expect(readLag({ consumer: 'settlement' }, nowMs)).toEqual({ events: 0, ms: 0 });
});

it.each([
  ['that contains every event of the log', { head: 9, state: stream }, 'good', ''],
  ['without the newest 3 events of the log', { head: 12, state: stream }, 'good', '3 to be published'],
  [
    'with a gap of 2 messages',
    { head: 9, state: { ...stream, missing: 2 } },
    'incomplete',
    '2 messages are missing',
  ],
  [
    'whose last message is not an event',
    { head: 9, state: { ...stream, published: undefined } },
    'foreign',
    'the last message is not an event, so nothing is published',
  ],
  [
    'that was published from another database',
    { head: 7, state: stream },
    'foreign',
    'it ends 2 positions after the log, so nothing is published',
  ],
  ['that is empty', { head: 0, state: { ...stream, messages: 0, published: undefined } }, 'good', ''],
  ['that JetStream has lost', { head: 9 }, 'lost', 'JetStream has no such stream'],
] as const)('describes the state of a JetStream stream %s', (_which, report, expected, text) => {
  expect(describeStream(report)).toEqual({ state: expected, text });
});

const verified = { upTo: 9, copies: 9, missing: 0, findings: 0, verifiedAt: '2026-11-27T11:00:00.000Z' };
it.each([
  ['no verification', undefined, 'not verified'],
  ['a verification without findings', verified, '9, 2026-11-27 11:00:00 UTC'],
  ['a verification with 1 finding', { ...verified, findings: 1 }, '9, 2026-11-27 11:00:00 UTC: 1 finding'],
  [
    'a verification with findings and missing events',
    { ...verified, findings: 2, missing: 3 },
    '9, 2026-11-27 11:00:00 UTC: 2 findings, 3 missing',
  ],
])(
  'prints the verified position, the time and the findings of a JetStream copy after %s',
  (_how, verification, text) => {
    expect(verifiedText(verification)).toBe(text);
  },
);
