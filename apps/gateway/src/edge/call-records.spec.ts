import { describe, expect, it } from '@jest/globals';
import type { CallBatch } from '@xs2a/contracts/call-records.contract';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { type AnsweredCall, CallRecords } from './call-records.js';

const call = (changes: Partial<AnsweredCall> = {}): AnsweredCall => ({
  endpoint: 'readAccount',
  status: 200,
  ms: 4,
  peer: '::ffff:198.51.100.1',
  tppId: 'tpp',
  consentId: 'consent',
  ...changes,
});

/** Creates call records with a clock and a destination that the test controls. */
const recording = (startsAt: string) => {
  let nowMs = Date.parse(startsAt);
  let away = false;
  const sent: CallBatch[] = [];
  const records = new CallRecords(
    {
      call: async (_call, batch) => {
        if (away) throw new Error('nobody is there');
        sent.push(batch as unknown as CallBatch);
        return {} as never;
      },
    },
    new Clock(false, () => nowMs),
    { timeZone: 'Europe/Sofia' },
    createLogger('test', 'silent'),
  );
  return {
    records,
    sent,
    moveTo: (instant: string) => (nowMs = Date.parse(instant)),
    setAway: (value: boolean) => (away = value),
  };
};

describe('the daily statistics', () => {
  it('count calls, 4xx, 5xx and time per endpoint, and omit calls outside the APIs', async () => {
    const { records, sent } = recording('2026-01-10T10:00:00Z');
    for (const status of [200, 429, 503, 500, 499]) records.note(call({ status }));
    records.note(call({ endpoint: 'initiatePayment', status: 201, ms: 9 }));
    records.note(call({ endpoint: 'confirmFunds' }));
    records.note(call({ endpoint: 'readClock' }));
    await records.stop();
    expect(sent.flatMap(({ calls }) => calls)).toEqual([
      {
        day: '2026-01-10',
        api: 'AIS',
        endpoint: 'readAccount',
        calls: 5,
        refused: 1,
        failed: 2,
        totalMs: 20,
      },
      {
        day: '2026-01-10',
        api: 'PIS',
        endpoint: 'initiatePayment',
        calls: 1,
        refused: 0,
        failed: 0,
        totalMs: 9,
      },
      {
        day: '2026-01-10',
        api: 'CoF',
        endpoint: 'confirmFunds',
        calls: 1,
        refused: 0,
        failed: 0,
        totalMs: 4,
      },
    ]);
  });

  it('count the same values per TPP and API, with one total for all calls without a valid token', async () => {
    const { records, sent } = recording('2026-01-10T10:00:00Z');
    for (const status of [200, 429, 503]) records.note(call({ status }));
    records.note(call({ endpoint: 'listAccounts' }));
    records.note(call({ endpoint: 'initiatePayment', status: 201 }));
    records.note(call({ tppId: 'other' }));
    records.note(call({ tppId: undefined, status: 401 }));
    await records.stop();
    const rows = sent[0]?.byTpp.map((row) => [row.tppId, row.api, row.calls, row.refused, row.failed]);
    expect(rows).toEqual([
      ['tpp', 'AIS', 4, 1, 1],
      ['tpp', 'PIS', 1, 0, 0],
      ['other', 'AIS', 1, 0, 0],
      ['', 'AIS', 1, 1, 0],
    ]);
    expect(sent[0]?.byTpp[0]).toMatchObject({ day: '2026-01-10', totalMs: 16 });
  });

  it('assign each call to its day in the time zone of the bank', async () => {
    const { records, sent, moveTo } = recording('2026-01-10T21:59:59Z');
    records.note(call());
    moveTo('2026-01-10T22:00:00Z');
    records.note(call());
    await records.stop();
    expect(sent.flatMap(({ calls }) => calls.map(({ day }) => day))).toEqual(['2026-01-10', '2026-01-11']);
  });

  it('keep a batch that nobody accepts, and send it again later with the same id', async () => {
    const { records, sent, setAway } = recording('2026-01-10T10:00:00Z');
    setAway(true);
    records.note(call());
    await records.stop();
    records.note(call());
    setAway(false);
    await records.stop();
    await records.stop();
    expect(sent.map(({ calls }) => calls[0]?.calls)).toEqual([1, 1]);
    expect(new Set(sent.map(({ batchId }) => batchId)).size).toBe(2);
  });
});

describe('the audit of PSU-IP-Address (spec 8)', () => {
  it('counts the calls per consent and PSU address, and how many of them were sent from that same address', async () => {
    const { records, sent } = recording('2026-01-10T10:00:00Z');
    records.note(call({ psuIpAddress: '198.51.100.1' }));
    records.note(call({ psuIpAddress: '198.51.100.7' }));
    records.note(call({ psuIpAddress: '2001:DB8::1' }));
    records.note(call({ psuIpAddress: '2001:db8::1' }));
    records.note(call());
    await records.stop();
    const day = { day: '2026-01-10', consentId: 'consent', tppId: 'tpp' };
    expect(sent[0]?.addresses).toEqual([
      { ...day, address: '198.51.100.1', calls: 1, fromTpp: 1 },
      { ...day, address: '198.51.100.7', calls: 1, fromTpp: 0 },
      { ...day, address: '2001:db8::1', calls: 2, fromTpp: 0 },
    ]);
  });
});
