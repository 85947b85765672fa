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
import { type Measured, problemOf } from './load/measure.js';
import { type ProofKey, Proofs } from './load/proofs.js';
import { customers, choosePayee } from './world/customers.js';
import { liveFile, readLive } from './load/memory.js';
import { inWords, makeLine, renderTable } from './report.js';
import { inParallel } from './world/in-parallel.js';
import { type Found, formatNumber, hopsAtMost, type Row, type Target } from './row.js';

const result = (more: Partial<Measured>): Measured => ({
  answered: 100,
  perSecond: 4000,
  p50: 7,
  longest: 20,
  p95: 18,
  p99: 20,
  p999: 20,
  late: 0,
  statuses: { 201: 100 },
  sent: 100,
  exhausted: false,
  unexpected: 0,
  ownMs: 0.1,
  proofMs: 0,
  cpu: [['gateway', 0.25]],
  ...more,
});

const hops = { bare: result({ cpu: [['hop', 0.125]] }), transport: result({}) };

describe('the HTTP response reader', () => {
  const head = 'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n';

  it('waits until the head and body are complete', () => {
    for (let bytes = 0; bytes < head.length + 7; bytes += 1) {
      expect(answerIn(`${head}{"a":1}`.slice(0, bytes))).toBeUndefined();
    }
    expect(answerIn(`${head}{"a":1}`)).toEqual({ status: 201, body: '{"a":1}' });
  });

  it('accepts a 204 without a content length, and fails if a response with any other status has none', () => {
    expect(answerIn('HTTP/1.1 204 No Content\r\n\r\n')).toEqual({ status: 204, body: '' });
    expect(answerIn('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')).toBeInstanceOf(Error);
  });
});

describe('a prepared request', () => {
  it('contains its body length in bytes, not in characters', () => {
    const text = wireRequest('POST', '/v1/x', { Authorization: 'Bearer t' }, { name: 'Иван' });
    expect(text).toContain('\r\nContent-Length: 19\r\n');
    expect(text.endsWith('\r\n\r\n{"name":"Иван"}')).toBe(true);
  });
});

describe('latencies', () => {
  it('are summarised as nearest-rank percentiles', () => {
    const hundred = Array.from({ length: 100 }, (_none, index) => index + 1);
    expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100]);
    expect(percentile([], 0.5)).toBe(0);
  });

  it('are sorted before percentiles are taken', () => {
    expect(summarise([9, 1, 5], 2)).toEqual({
      answered: 3,
      perSecond: 1.5,
      p50: 5,
      p95: 9,
      p99: 9,
      p999: 9,
      longest: 9,
    });
  });
});

describe('CPU time', () => {
  it('is shown per request and part across all turns, largest first, without idle parts', () => {
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
  it('are shown in megabytes, except for a process that does not report them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'xs2a-live-'));
    writeFileSync(liveFile(folder, 42), '27500000');
    expect([readLive(folder, 42), readLive(folder, 43)]).toEqual([27.5, 0]);
    rmSync(folder, { recursive: true });
  });
});

describe('a line of the report (docs/benchmarks.md)', () => {
  const row = (target: Target): Row => ({ name: 'row', title: 'something', targets: { sandbox: target } });
  const found: Found = { value: 50, perSecond: 2000, cpu: [['gateway', 0.25]], notes: ['how it came'] };
  const lineOf = (target: Target, more: Partial<Found> = {}) =>
    makeLine(row(target), 'sandbox', { ...found, ...more }, hops);
  const atLeast = (limit: number): Target => ({ atLeast: limit, unit: '/s' });
  const atMost = (limit: number): Target => ({ atMost: limit, unit: 'ms' });

  it('compares a figure with its target, and passes if they are equal', () => {
    expect(lineOf(atLeast(50))).toMatchObject({ verdict: 'ok', targetText: '≥ 50/s' });
    expect(lineOf(atMost(50))).toMatchObject({ verdict: 'ok', targetText: '≤ 50 ms' });
    expect(lineOf(atLeast(50.1)).verdict).toBe('missed');
    expect(lineOf(atMost(49.9)).verdict).toBe('missed');
  });

  it('shows processor time as a multiple of the bare hop, and how far that is above the floor', () => {
    expect(lineOf(atLeast(1))).toMatchObject({ cpuMs: 0.25, hops: 2 });
    const withFloor = makeLine({ ...row(atLeast(1)), floor: 1.6 }, 'sandbox', found, hops);
    expect(withFloor).toMatchObject({ floor: 1.6, aboveFloor: 1.25 });
    expect(renderTable([withFloor])).toMatch(/ 2\.0 +1\.6 +1\.25× /);
    expect(hopsAtMost({ sandbox: 5 })).toEqual({ sandbox: { atMost: 5, unit: 'hops' } });
  });

  it('has the latencies at shares of the rate, with the requests that were late', () => {
    const openLoop = [{ share: 0.5, p50: 1, p99: 2, p999: 3.25, late: 4, answered: 1000 }];
    expect(lineOf(atLeast(1), { openLoop }).notes).toContain(
      'at 50 % of that rate, ms from when a request was due: p50 1.0, p99 2.0, p99.9 3.3; 4 of 1000 sent more than 10 ms late',
    );
  });

  it('fails if an answer is unexpected or missing, whatever the speed, and reports why', () => {
    expect(problemOf(result({}), result({}))).toBeUndefined();
    expect(problemOf(result({ answered: 0 }))).toBe('0 unexpected answers: none came');
    const problem = problemOf(result({}), result({ unexpected: 2, firstUnexpected: '503 {}' }));
    const line = lineOf(atLeast(1), { problem });
    expect(line.verdict).toBe('failed');
    expect(renderTable([line])).toContain('something: 2 unexpected answers: 503 {}');
    expect(inWords(line)).toBe('failed: 2 unexpected answers: 503 {}');
  });

  it('has a short form that is printed as soon as the line is measured', () => {
    expect(inWords(lineOf(atLeast(60)))).toBe('missed: 50/s, 2,000/s, 0.25 CPU ms');
  });

  it('is shown with its unit, with notes below the table', () => {
    const numbers = [formatNumber('/s', 1830.4), formatNumber('ms', 16.051), formatNumber('×', 1.049)];
    expect(numbers).toEqual(['1,830/s', '16.05 ms', '1.05×']);
    const table = renderTable([lineOf(atMost(60), { cpuOf: 'a payment' })]);
    expect(table).toContain('something: CPU ms a payment: gateway 0.25\nsomething: how it came');
  });

  it('is placed next to the line for the same row in the other column', () => {
    const line = lineOf(atLeast(1));
    const other = { ...line, name: 'other', title: 'something else' };
    const table = renderTable([line, other, { ...line, column: 'production' }]);
    expect(table.split('\n').map((text) => text.split(/ {2,}/).slice(0, 2))).toEqual(
      expect.arrayContaining([
        ['something', 'sandbox'],
        ['something', 'production'],
      ]),
    );
    expect(table.indexOf('production')).toBeLessThan(table.indexOf('something else'));
  });
});

describe('a request proof (RFC 9449)', () => {
  it('contains its method, its URL without the query, and its token, and is new each time', async () => {
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

describe('benchmark customers', () => {
  it('have separate valid accounts, and pay into accounts other than their own', () => {
    expect(new Set(customers.map(({ iban }) => iban)).size).toBe(6000);
    const payers = customers.slice(0, 100);
    for (const [number, { iban }] of payers.entries()) expect(choosePayee(number, iban)).not.toBe(iban);
  });
});

describe('parallel work', () => {
  it('keeps the order of the results, and never exceeds its limit', async () => {
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
  it('has defaults, and accepts several row names', () => {
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
