import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchOptions, WrongUsage } from './command-line.js';
import { answerIn } from './http-connection.js';
import { percentile, summaryOf } from './latency.js';
import { addCpu, cpuPerRequest } from './cpu-time.js';
import { wireRequest } from './load-plan.js';
import type { Measured } from './measure.js';
import { liveFile, liveIn } from './memory.js';
import { figureLineOf, lineOf, tableOf } from './report.js';
import { inParallel } from './direct-calls.js';
import { type FigureRow, type Found, type Target, toldIn } from './figure.js';
import type { Row } from './row.js';

const row = (target?: number): Row => ({
  name: 'row',
  title: 'POST something',
  target,
  prepare: async () => ({ requests: [], expect: 200 }),
});
const result = (more: Partial<Measured>): Measured => ({
  answered: 100,
  perSecond: 4000,
  p50: 7,
  p99: 20,
  sent: 100,
  exhausted: false,
  unexpected: 0,
  cpu: [['gateway', 0.25]],
  ...more,
});

const hop = result({ perSecond: 10_000 });

describe('reading an answer', () => {
  const head = 'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n';

  it('waits until head and body are whole', () => {
    for (let bytes = 0; bytes < head.length + 7; bytes += 1) {
      expect(answerIn(`${head}{"a":1}`.slice(0, bytes))).toBeUndefined();
    }
    expect(answerIn(`${head}{"a":1}`)).toEqual({ status: 201, body: '{"a":1}' });
  });

  it('takes 204 without a length, and says so when it cannot tell where another one ends', () => {
    expect(answerIn('HTTP/1.1 204 No Content\r\n\r\n')).toEqual({ status: 204, body: '' });
    expect(answerIn('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')).toBeInstanceOf(Error);
  });
});

describe('a prepared request', () => {
  it('names its length in bytes, not in characters', () => {
    const text = wireRequest('POST', '/v1/x', { Authorization: 'Bearer t' }, { name: 'Иван' });
    expect(text).toContain('\r\nContent-Length: 19\r\n');
    expect(text.endsWith('\r\n\r\n{"name":"Иван"}')).toBe(true);
  });
});

describe('latencies', () => {
  it('are told by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_none, index) => index + 1);
    expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100]);
    expect(percentile([], 0.5)).toBe(0);
  });

  it('are sorted first', () => {
    expect(summaryOf([9, 1, 5], 2)).toEqual({ answered: 3, perSecond: 1.5, p50: 5, p99: 9 });
  });
});

describe('processor time', () => {
  it('is told per request and part over all turns, most first, without those that did nothing', () => {
    const used = (a: number, b: number): ReadonlyMap<string, number> =>
      new Map([
        ['a', a],
        ['b', b],
        ['idle', 7],
      ]);
    const first = addCpu(new Map(), used(1, 1), used(1.25, 2));
    const both = addCpu(first, used(3, 3), used(3.25, 4));
    expect(cpuPerRequest(both, 1000)).toEqual([
      ['b', 2],
      ['a', 0.5],
    ]);
  });
});

describe('live objects of a service', () => {
  it('are told in megabytes, and none for a process that tells none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'xs2a-live-'));
    writeFileSync(liveFile(folder, 42), '27500000');
    expect([liveIn(folder, 42), liveIn(folder, 43)]).toEqual([27.5, 0]);
    rmSync(folder, { recursive: true });
  });
});

describe('a line of the report', () => {
  it('compares with the bare hop of the same run', () => {
    expect(lineOf(row(0.4), result({}), hop)).toMatchObject({ ratio: 0.4, verdict: 'ok' });
    expect(lineOf(row(0.4), result({ perSecond: 3999 }), hop).verdict).toBe('below');
    expect(lineOf(row(), result({}), hop).verdict).toBe('');
  });

  it('is never ok with an unexpected answer, and tells it', () => {
    const line = lineOf(row(0.1), result({ unexpected: 2, firstUnexpected: '503 {}' }), hop);
    expect(line.verdict).toBe('failed');
    expect(tableOf([line])).toContain('POST something: 2 unexpected answers: 503 {}');
  });
});

describe('a figure', () => {
  const figure = (target: Target): FigureRow => ({
    name: 'figure',
    title: 'something else',
    target,
    long: false,
    measure: async () => ({ value: 0, notes: [] }),
  });
  const found: Found = { value: 50, perSecond: 2000, notes: ['how it came'] };

  it('is judged by its own target, at the bound itself too, and compared with the bare hop', () => {
    const line = figureLineOf(figure({ atLeast: 50, unit: '/s' }), found, 8000);
    expect(line).toMatchObject({ verdict: 'ok', ratio: 0.25, targetText: '≥ 50/s' });
    expect(figureLineOf(figure({ atMost: 50, unit: 'ms' }), found, 1).verdict).toBe('ok');
    expect(figureLineOf(figure({ atLeast: 50.1, unit: '/s' }), found, 1).verdict).toBe('below');
    expect(figureLineOf(figure({ atMost: 49.9, unit: 'ms' }), found, 1).verdict).toBe('below');
  });

  it('counts for nothing when what was measured was not done', () => {
    const line = figureLineOf(figure({ atLeast: 1, unit: '/s' }), { ...found, problem: 'lost one' }, 1);
    expect(line.verdict).toBe('failed');
    expect(tableOf([line])).toContain('something else: lost one');
  });

  it('is told with its unit, its notes below the table', () => {
    expect([toldIn('/s', 1830.4), toldIn('ms', 16.051), toldIn('×', 1.049)]).toEqual([
      '1,830/s',
      '16.05 ms',
      '1.05×',
    ]);
    expect(tableOf([figureLineOf(figure({ atMost: 60, unit: 'ms' }), found, 1)])).toContain(
      'something else: how it came',
    );
  });
});

describe('work in parallel', () => {
  it('keeps the order of the answers, and never does more at once than it may', async () => {
    let [now, most] = [0, 0];
    const doubled = await inParallel([5, 1, 4, 2, 3], 2, async (item) => {
      now += 1;
      most = Math.max(most, now);
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      now -= 1;
      return item * 2;
    });
    expect(doubled).toEqual([10, 2, 8, 4, 6]);
    expect(most).toBe(2);
  });
});

describe('the command line', () => {
  it('has defaults, and takes several rows', () => {
    expect(benchOptions([])).toEqual({
      seconds: 10,
      warmUpSeconds: 20,
      rows: [],
      all: false,
      json: false,
    });
    expect(benchOptions(['--row', 'a', '--row=b', '--seconds', '3'])).toMatchObject({
      rows: ['a', 'b'],
      seconds: 3,
    });
    expect(benchOptions(['--all', '--payments', '50000'])).toMatchObject({ all: true, payments: 50_000 });
  });

  it.each([
    ['--seconds', '0'],
    ['--events', '-1'],
    ['--payments', '1.5'],
    ['--seconds', 'x'],
    ['--warm-up', '601'],
    ['--wrong'],
    ['word'],
  ])('refuses %s %s', (...words) => expect(() => benchOptions(words)).toThrow(WrongUsage));
});
