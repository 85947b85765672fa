// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { domesticPath, domesticPayment, until } from '@xs2a/test-support/requests';
import { fixtureTpp } from '@xs2a/test-support/sandbox-tpp';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { makeOperator } from '../testing/command-process.js';
import type { CallList, ListedCall } from './calls.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-calls-'));
const { xs2a, oneJson } = makeOperator(folder);
let sandbox: Sandbox;
let owner: Pool;
beforeAll(async () => {
  sandbox = await startSandbox({ dataDir: folder, port: 0, sourceMaps: false });
  owner = new Pool({ connectionString: sandbox.databaseUrl('xs2a_owner'), max: 2 });
  owner.on('error', () => undefined);
}, 120_000);
afterAll(async () => {
  await owner?.end();
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

/** Stores a call of a TPP that no other test uses, at a number of minutes before now. */
const store = async (
  tppId: string,
  minutesAgo: number,
  {
    status = 200,
    code,
    operation = 'readPayment',
  }: { status?: number; code?: string; operation?: string } = {},
): Promise<string> => {
  const requestId = newId();
  const at = new Date(Date.now() - minutesAgo * 60_000);
  await owner.query('SELECT console.add_call_day($1)', [at.toISOString().slice(0, 10)]);
  await owner.query(
    `INSERT INTO console.call (at, request_id, tpp_id, operation, status, code, ms, bytes)
     VALUES ($1, $2, $3, $4, $5, $6, 4.5, 312)`,
    [at, requestId, tppId, operation, status, code],
  );
  return requestId;
};
const list = async (...args: readonly string[]): Promise<CallList> => oneJson('calls', 'list', ...args);
const ids = async (...args: readonly string[]): Promise<string[]> =>
  (await list(...args)).calls.map(({ requestId }) => requestId);

describe('the xs2a calls command (docs/runbooks/tpp-refused.md)', () => {
  it('list and show tell where the first violation of a refused call is', async () => {
    const tpp = fixtureTpp(sandbox.baseUrl);
    const token = await tpp.applicationToken();
    const requestId = randomUUID();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await tpp.call('POST', domesticPath, token, {
      json: domesticPayment('BG80BNBG96611020345678', '12,50'),
      headers: { 'x-request-id': requestId, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    });
    // This call makes the gateway send its rows to the console first.
    await until(
      async () => tpp.call('GET', '/sandbox/requests', token),
      ({ text }) => text.includes(requestId),
    );
    const refused = ['--tpp', 'sandbox-tpp', '--status', 'refused', '--code', 'FORMAT_ERROR'];
    expect((await list(...refused)).calls[0]).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      requestId,
      traceId,
      tppId: 'sandbox-tpp',
      operation: 'initiatePayment',
      status: 400,
      code: 'FORMAT_ERROR',
      failure: 'fieldMalformed',
      path: 'instructedAmount.amount',
      dependency: null,
      ms: expect.any(Number),
      bytes: expect.any(Number),
      resourceId: null,
    });
    expect((await xs2a('calls', 'list', ...refused)).stdout).toMatch(
      new RegExp(`${requestId} +sandbox-tpp +initiatePayment +400 +FORMAT_ERROR +instructedAmount\\.amount `),
    );
    const { calls } = await oneJson<{ calls: ListedCall[] }>('calls', 'show', requestId.toUpperCase());
    expect(calls).toEqual([expect.objectContaining({ requestId, status: 400 })]);
    const { stdout } = await xs2a('calls', 'show', requestId);
    expect(stdout).toContain('\ncode: FORMAT_ERROR\nfirst violation at: instructedAmount.amount\n');
    expect(stdout).toContain(
      '\nrule: contract 3, Errors by situation (docs/contract/03-errors.md#errors-by-situation): a header or field',
    );
    expect(stdout).toContain(
      '\nrule: contract 8, Money (docs/contract/08-payments.md#money): An amount is a string',
    );
    expect(stdout).toContain('\nadvice: This field does not have the required form. See /docs for it.\n');
    expect(stdout).toContain(
      '\nfield instructedAmount.amount: meaning Above zero, with no more decimals than the currency has',
    );
    expect(stdout).not.toContain('12,50');
  });

  it('list filters by TPP, operation, status, code and time, newest first', async () => {
    const tpp = newId();
    const of = ['--tpp', tpp];
    const served = await store(tpp, 1);
    const refused = await store(tpp, 2, { status: 404, code: 'RESOURCE_UNKNOWN' });
    const failed = await store(tpp, 30, { status: 503, operation: 'readBalances' });
    const closed = await store(tpp, 200, { status: 499 });
    const yesterday = await store(tpp, 25 * 60);
    await store(newId(), 1);
    expect(await ids(...of)).toEqual([served, refused, failed, closed]);
    expect(await ids(...of, '--since', '2d')).toEqual([served, refused, failed, closed, yesterday]);
    expect(await ids(...of, '--since', '10min')).toEqual([served, refused]);
    for (const [status, expected] of [
      ['2xx', [served]],
      ['refused', [refused]],
      ['4xx', [refused, closed]],
      ['404', [refused]],
      ['failed', [failed]],
    ] as const)
      expect([status, await ids(...of, '--status', status)]).toEqual([status, expected]);
    expect(await ids(...of, '--operation', 'readBalances')).toEqual([failed]);
    expect(await ids(...of, '--code', 'RESOURCE_UNKNOWN')).toEqual([refused]);
  });

  it('list continues with --before, without a gap or a repeat', async () => {
    const tpp = newId();
    const stored: string[] = [];
    for (const minutes of [1, 2, 100, 500, 1000]) stored.push(await store(tpp, minutes));
    const found: string[] = [];
    let args = ['--tpp', tpp, '--limit', '2'];
    for (;;) {
      const { calls, next } = await list(...args);
      found.push(...calls.map(({ requestId }) => requestId));
      if (next === null) break;
      expect((await xs2a('calls', 'list', ...args)).stdout).toContain(`For older ones: --before ${next}\n`);
      args = ['--tpp', tpp, '--limit', '2', '--before', next];
    }
    expect(found).toEqual(stored);
  });

  it('list says how many calls have no row, and why', async () => {
    const tpp = newId();
    await owner.query(
      `INSERT INTO console.calls_left_out SELECT gen_random_uuid(), $1, reason, calls, now(), now()
       FROM (VALUES ('limit', 7), ('sampled', 90), ('sampled', 9)) AS counted (reason, calls)`,
      [tpp],
    );
    const { leftOut } = await list('--tpp', tpp);
    expect(leftOut).toEqual([
      { reason: 'limit', calls: 7 },
      { reason: 'sampled', calls: 99 },
    ]);
    expect((await xs2a('calls', 'list', '--tpp', tpp)).stdout).toBe(
      'No such calls.\nNot shown: 7 calls refused, beyond the limit per minute\nNot shown: 99 calls successful and not sampled\n',
    );
  });

  it('show refuses a request id that no call has', async () => {
    const { code, stderr } = await xs2a('calls', 'show', randomUUID());
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no row of a call ')]);
  });
});
