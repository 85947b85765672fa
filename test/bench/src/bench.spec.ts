import { describe, expect, it } from '@jest/globals';
import { EmbeddedJWK, jwtVerify } from 'jose';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchOptions, WrongUsage } from './command-line.js';
import { answerIn } from './load/http-connection.js';
import { percentile, summarise } from './load/latency.js';
import { addCpu, cpuPerRequest } from './load/cpu-time.js';
import { wireRequest } from './load/load-plan.js';
import type { Measured } from './load/measure.js';
import { type ProofKey, Proofs } from './load/proofs.js';
import { customers, choosePayee } from './world/customers.js';
import { liveFile, liveIn } from './load/memory.js';
import { makeFigureLine, makeLine, inWords, renderTable } from './report.js';
import { inParallel } from './world/direct-calls.js';
import { type FigureRow, type Found, type Target, formatNumber } from './figure.js';
import type { Row } from './row.js';

const row = (target: number | 'none'): Row => ({
  name: 'row',
  title: 'POST something',
  targets: { sandbox: target },
  prepare: async () => ({ requests: [], expect: 200 }),
});
const result = (more: Partial<Measured>): Measured => ({
  answered: 100,
  perSecond: 4000,
  p50: 7,
  longest: 20,
  p95: 18,
  p99: 20,
  statuses: { 201: 100 },
  sent: 100,
  exhausted: false,
  unexpected: 0,
  ownMs: 0.1,
  proofMs: 0,
  cpu: [['gateway', 0.25]],
  ...more,
});

const hops = { bare: result({ perSecond: 10_000 }), transport: result({ perSecond: 8000 }) };

describe('reading an answer', () => {
  const head = 'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n';

  it('waits until head and body are complete', () => {
    for (let bytes = 0; bytes < head.length + 7; bytes += 1) {
      expect(answerIn(`${head}{"a":1}`.slice(0, bytes))).toBeUndefined();
    }
    expect(answerIn(`${head}{"a":1}`)).toEqual({ status: 201, body: '{"a":1}' });
  });

  it('accepts 204 without a length, and fails on another status without one', () => {
    expect(answerIn('HTTP/1.1 204 No Content\r\n\r\n')).toEqual({ status: 204, body: '' });
    expect(answerIn('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')).toBeInstanceOf(Error);
  });
});

describe('a prepared request', () => {
  it('states its length in bytes, not in characters', () => {
    const text = wireRequest('POST', '/v1/x', { Authorization: 'Bearer t' }, { name: 'Иван' });
    expect(text).toContain('\r\nContent-Length: 19\r\n');
    expect(text.endsWith('\r\n\r\n{"name":"Иван"}')).toBe(true);
  });
});

describe('latencies', () => {
  it('are computed by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_none, index) => index + 1);
    expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100]);
    expect(percentile([], 0.5)).toBe(0);
  });

  it('are sorted first', () => {
    expect(summarise([9, 1, 5], 2)).toEqual({
      answered: 3,
      perSecond: 1.5,
      p50: 5,
      p95: 9,
      p99: 9,
      longest: 9,
    });
  });
});

describe('processor time', () => {
  it('is shown per request and part over all turns, largest first, without idle parts', () => {
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
  it('are shown in megabytes, and not for a process that reports none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'xs2a-live-'));
    writeFileSync(liveFile(folder, 42), '27500000');
    expect([liveIn(folder, 42), liveIn(folder, 43)]).toEqual([27.5, 0]);
    rmSync(folder, { recursive: true });
  });
});

describe('a line of the report (docs/benchmarks.md)', () => {
  const lineWith = (target: number | 'none', one: Measured) =>
    makeLine(row(target), 'sandbox', { result: one, hops });

  it('compares with both hops of the same turns', () => {
    expect(lineWith(0.4, result({}))).toMatchObject({ ratio: 0.4, toTransport: 0.5, verdict: 'ok' });
    expect(lineWith(0.4, result({ perSecond: 3999 })).verdict).toBe('missed');
    expect(lineWith('none', result({})).verdict).toBe('');
  });

  it('is never ok with an unexpected answer, and reports it', () => {
    const line = lineWith(0.1, result({ unexpected: 2, firstUnexpected: '503 {}' }));
    expect(line.verdict).toBe('failed');
    expect(renderTable([line])).toContain('POST something: 2 unexpected answers: 503 {}');
  });

  it('has a short form that is printed as soon as it is measured', () => {
    expect(inWords(lineWith(0.4, result({ perSecond: 3999 })))).toMatch(
      /^missed: 0\.40 of the bare hop, 3999\/s, /,
    );
    const problem = 'the row could not be prepared';
    expect(inWords({ ...lineWith(0.4, result({})), verdict: 'failed', problem })).toBe(`failed: ${problem}`);
  });

  it('is next to the same row of the other column', () => {
    const line = lineWith(0.4, result({}));
    const other = { ...line, name: 'other', title: 'GET something' };
    const table = renderTable([line, other, { ...line, column: 'production' }]);
    expect(table.split('\n').map((text) => text.split(/ {2,}/).slice(0, 2))).toEqual(
      expect.arrayContaining([
        ['POST something', 'sandbox'],
        ['POST something', 'production'],
      ]),
    );
    expect(table.indexOf('production')).toBeLessThan(table.indexOf('GET something'));
  });
});

describe('a figure', () => {
  const figure = (target: Target): FigureRow => ({
    name: 'figure',
    title: 'something else',
    targets: { sandbox: target },
    measure: async () => ({ value: 0, notes: [] }),
  });
  const found: Found = { value: 50, perSecond: 2000, notes: ['how it came'] };

  it('is compared with its target, which it may equal, and with the bare hop', () => {
    const line = makeFigureLine(figure({ atLeast: 50, unit: '/s' }), 'sandbox', found, hops);
    expect(line).toMatchObject({ verdict: 'ok', ratio: 0.2, toTransport: 0.25, targetText: '≥ 50/s' });
    expect(makeFigureLine(figure({ atMost: 50, unit: 'ms' }), 'sandbox', found, hops).verdict).toBe('ok');
    expect(makeFigureLine(figure({ atLeast: 50.1, unit: '/s' }), 'sandbox', found, hops).verdict).toBe(
      'missed',
    );
    expect(makeFigureLine(figure({ atMost: 49.9, unit: 'ms' }), 'sandbox', found, hops).verdict).toBe(
      'missed',
    );
  });

  it('does not count if the measured work was not done', () => {
    const line = makeFigureLine(
      figure({ atLeast: 1, unit: '/s' }),
      'sandbox',
      { ...found, problem: 'lost one' },
      hops,
    );
    expect(line.verdict).toBe('failed');
    expect(renderTable([line])).toContain('something else: lost one');
  });

  it('is shown with its unit, its notes below the table', () => {
    expect([formatNumber('/s', 1830.4), formatNumber('ms', 16.051), formatNumber('×', 1.049)]).toEqual([
      '1,830/s',
      '16.05 ms',
      '1.05×',
    ]);
    expect(
      renderTable([makeFigureLine(figure({ atMost: 60, unit: 'ms' }), 'sandbox', found, hops)]),
    ).toContain('something else: how it came');
  });
});

describe('the proof of a request (RFC 9449)', () => {
  it('names its method, its URL without query and its token, and is new each time', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = privateKey.export({ format: 'jwk' }) as ProofKey['jwk'];
    const proofs = new Proofs({ jwk, origin: 'https://bank.example' });
    const request = wireRequest('GET', '/v1/accounts?a=b', { Authorization: 'DPoP t.o.k' });
    const [one, other] = [proofs.of(request), proofs.of(request)];
    const { payload } = await jwtVerify(one, EmbeddedJWK, { typ: 'dpop+jwt' });
    expect(payload).toMatchObject({
      htm: 'GET',
      htu: 'https://bank.example/v1/accounts',
      ath: createHash('sha256').update('t.o.k').digest('base64url'),
    });
    expect(other).not.toBe(one);
  });
});

describe('customers', () => {
  it('have separate valid accounts, and pay another one', () => {
    expect(new Set(customers.map(({ iban }) => iban)).size).toBe(6000);
    const payers = customers.slice(0, 100);
    for (const [number, { iban }] of payers.entries()) expect(choosePayee(number, iban)).not.toBe(iban);
  });
});

describe('work in parallel', () => {
  it('keeps the order of the answers, and never exceeds its limit', async () => {
    let [now, max] = [0, 0];
    const doubled = await inParallel([5, 1, 4, 2, 3], 2, async (item) => {
      now += 1;
      max = Math.max(max, now);
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      now -= 1;
      return item * 2;
    });
    expect(doubled).toEqual([10, 2, 8, 4, 6]);
    expect(max).toBe(2);
  });
});

describe('the command line', () => {
  it('has defaults, and takes several rows', () => {
    expect(benchOptions([])).toEqual({
      seconds: 10,
      warmUpSeconds: 20,
      columns: ['sandbox'],
      rows: [],
      json: false,
      onlyLoad: false,
    });
    expect(benchOptions(['--row', 'a', '--row=b', '--seconds', '3'])).toMatchObject({
      rows: ['a', 'b'],
      seconds: 3,
    });
    expect(benchOptions(['--production', '--payments', '50000'])).toMatchObject({
      columns: ['production'],
      payments: 50_000,
    });
    expect(benchOptions(['--keep', 'kept', '--only-load'])).toMatchObject({ keepIn: 'kept', onlyLoad: true });
    expect(benchOptions(['--production', '--sandbox']).columns).toEqual(['sandbox', 'production']);
  });

  it.each([
    ['--seconds', '0'],
    ['--events', '-1'],
    ['--payments', '1.5'],
    ['--seconds', 'x'],
    ['--warm-up', '601'],
    ['--only-load'],
    ['--wrong'],
    ['word'],
  ])('refuses %s %s', (...words) => expect(() => benchOptions(words)).toThrow(WrongUsage));
});
