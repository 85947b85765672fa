import { expect, it } from '@jest/globals';
import type { ConsumerReport, EventStreamReport } from '@xs2a/contracts/console/event-stream.contract';
import { eventStreams } from '@xs2a/contracts/event-streams';
import type { StreamReports } from '../now/backlog.js';
import { streamTables } from './stream-tables.js';

const nowMs = Date.parse('2026-11-27T12:00:00.000Z');
const state = { pending: 0, ackPending: 0, redelivered: 0, ackFloor: 107, isReading: true };
const verified = { upTo: 40, copies: 40, missing: 0, findings: 0, verifiedAt: '2026-11-27T11:00:00.000Z' };
const consents: EventStreamReport = {
  stream: 'CONSENTS',
  head: 40,
  state: { messages: 40, bytes: 2e6, maxBytes: 8e6, lastSequence: 40, missing: 0, published: 40, verified },
  consumers: [],
};
const payments = (...consumers: readonly ConsumerReport[]): EventStreamReport => ({
  stream: 'PAYMENTS',
  head: 112,
  state: { messages: 110, bytes: 3e6, lastSequence: 110, missing: 0, published: 110 },
  consumers,
});
/** Returns one text per row of the rendered tables, for the given reports; a stream without a report has a service that did not respond. */
const rows = (...reports: readonly EventStreamReport[]): readonly string[] =>
  rowsOf(
    (['payments', 'consents'] as const).map((resource) => {
      const answer = reports.find(({ stream }) => stream === eventStreams[resource]);
      return [resource, answer === undefined ? { missing: resource } : { answer }];
    }),
  );
const rowsOf = (reports: StreamReports): readonly string[] =>
  [...streamTables(reports, nowMs).text.matchAll(/<tr([^>]*)>(.*?)<\/tr>/gs)].map(
    ([, attributes = '', cells = '']) =>
      `${attributes.trim()} ${cells.replaceAll(/<[^>]+>/g, ' ')}`.replaceAll(/\s+/g, ' ').trim(),
  );

it('shows the messages, the size and the positions of each stream, and the unacknowledged events of each consumer', () => {
  const settlement = {
    consumer: 'settlement',
    state: { ...state, pending: 3, ackPending: 2, redelivered: 1 },
  };
  const shown = rows(payments(settlement), consents);
  expect(shown).toContain('PAYMENTS published 2 to be published 110 3 MB 110 110 112 not verified');
  expect(shown).toContain('CONSENTS published 40 2 MB of 8 MB 40 40 40 40, 2026-11-27 11:00:00 UTC');
  expect(shown).toContain('settlement reads PAYMENTS 3 2 1 107 –');
});

it('highlights a consumer that is behind, since when and why, and a consumer that is missing', () => {
  const oldestAt = '2026-11-27T11:55:00.000Z';
  const behind = { consumer: 'settlement', state: { ...state, pending: 3, isReading: false, oldestAt } };
  expect(rows(payments(behind), consents)).toContain(
    'class="is-attention" settlement behind PAYMENTS 3 0 0 107 2026-11-27 11:55:00 UTC: the oldest event has waited for 5 min; no instance requests events',
  );
  expect(rows(payments({ consumer: 'settlement' }), consents)).toContain(
    'class="is-attention" settlement missing PAYMENTS – – – – JetStream has no such consumer',
  );
});

it('highlights a lost stream, a stream with missing messages, and a stream whose service did not respond', () => {
  const { state: of } = consents;
  expect(rows({ ...consents, state: undefined })).toContain(
    'class="is-problem" CONSENTS lost JetStream has no such stream – – – – 40 –',
  );
  expect(rows({ ...consents, state: of && { ...of, missing: 2 } })).toContainEqual(
    expect.stringContaining('CONSENTS incomplete 2 messages are missing'),
  );
  expect(rows(consents)).toContain(
    'class="is-problem" PAYMENTS not known payments did not answer – – – – – –',
  );
});

it('names NATS in the row of a stream if JetStream did not respond to the service', () => {
  const shown = rowsOf([
    ['payments', { missing: 'nats' }],
    ['consents', { answer: consents }],
  ]);
  expect(shown).toContain('class="is-problem" PAYMENTS not known nats did not answer – – – – – –');
  expect(shown).toContainEqual(expect.stringContaining('CONSENTS published'));
});

it('highlights the findings of the latest verification of a JetStream copy', () => {
  const { state: of } = consents;
  const found = { ...consents, state: of && { ...of, verified: { ...verified, findings: 2 } } };
  expect(rows(found)).toContainEqual(
    expect.stringContaining('findings 40, 2026-11-27 11:00:00 UTC: 2 findings'),
  );
});
