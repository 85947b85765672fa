import { describe, expect, it } from '@jest/globals';
import { Connection, type Xs2aOptions } from './connection.js';

const baseUrl = 'https://bank.example';
const discovery = { issuer: baseUrl, token_endpoint: `${baseUrl}/oauth2/token` };
const nowMs = Date.parse('2026-11-28T08:00:00Z');
const ahead = { 'x-sandbox-clock': '2027-05-01T08:00:00Z' };
const aheadSeconds = (Date.parse(ahead['x-sandbox-clock']) - nowMs) / 1000;

/** A connection to a bank that gives these answers in order, and what it received and how long it was left alone. */
const connect = (answers: readonly Response[], more: Partial<Xs2aOptions> = {}) => {
  const [sent, pauses, left]: [Request[], number[], Response[]] = [[], [], [...answers]];
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.url.includes('/.well-known/')) return Response.json(discovery, { headers: ahead });
    sent.push(request);
    const next = left.shift();
    if (next === undefined) throw new TypeError('fetch failed');
    return next;
  };
  const connection = new Connection({
    baseUrl,
    clientId: 'tpp',
    auth: { secret: 'secret' },
    fetch: answer,
    now: () => nowMs,
    wait: async (ms) => void pauses.push(ms),
    ...more,
  });
  return { connection, sent, pauses };
};
const ok = (): Response => Response.json({}, { headers: ahead });
const refused = (status: number, retryAfter?: string): Response =>
  Response.json({}, { status, headers: retryAfter === undefined ? ahead : { 'retry-after': retryAfter } });
const create = (key?: string): Request =>
  new Request(`${baseUrl}/v1/payments/x`, {
    method: 'POST',
    body: '{"a":1}',
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

describe('the clock of a client', () => {
  it.each([
    ['is its own for a bank, whatever the answers say', undefined, 0],
    ['is the sandbox’s with the option sandbox', true, aheadSeconds],
  ])('%s', async (_title, sandbox, skew) => {
    const { connection } = connect([ok()], { sandbox });
    await connection.fetch('token', new Request(`${baseUrl}/v1/accounts`));
    expect(connection.nowMs()).toBe(nowMs + skew * 1000);
    expect((await connection.configure()).skewSeconds).toBe(skew);
  });

  it('does not change for a few seconds on the way', async () => {
    const near = { 'x-sandbox-clock': new Date(nowMs + (aheadSeconds + 5) * 1000).toISOString() };
    const { connection } = connect([Response.json({}, { headers: near })], { sandbox: true });
    await connection.fetch('token', new Request(`${baseUrl}/v1/accounts`));
    expect(connection.nowMs()).toBe(nowMs + aheadSeconds * 1000);
  });

  it('is followed at once when a sandbox rejects a request as out of date, without a pause', async () => {
    const moved = { 'x-sandbox-clock': new Date(nowMs + 2 * aheadSeconds * 1000).toISOString() };
    const late = Response.json({}, { status: 401, headers: moved });
    const { connection, sent, pauses } = connect([late, Response.json({}, { headers: moved })], {
      sandbox: true,
    });
    await connection.configure();
    const answer = await connection.fetch('token', new Request(`${baseUrl}/v1/accounts`));
    expect([answer.status, sent.length, pauses]).toEqual([200, 2, []]);
  });
});

describe('http', () => {
  it('is refused for a bank, before anything is sent', async () => {
    const { connection, sent } = connect([ok()], { baseUrl: 'http://bank.example' });
    const request = new Request('http://bank.example/v1/accounts');
    await expect(connection.fetch('token', request)).rejects.toMatchObject({ name: 'Xs2aError' });
    expect(sent).toEqual([]);
  });
});

describe('repeated requests', () => {
  it('keep key and body, and pause as long as the bank asks', async () => {
    const { connection, sent, pauses } = connect([refused(503), refused(409, '1'), ok()]);
    expect((await connection.fetch('token', create('key'))).status).toBe(200);
    expect(pauses).toEqual([500, 1000]);
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['key', 'key', 'key']);
    expect(await Promise.all(sent.map(async (one) => one.text()))).toEqual(Array(3).fill('{"a":1}'));
  });

  it.each([
    ['a creation without a key', create(), 503, undefined],
    ['a conflict', create('key'), 409, undefined],
    ['too many requests', create('key'), 429, '1'],
    ['a refusal', create('key'), 400, undefined],
    ['a bank that asks for an hour', create('key'), 503, '3600'],
  ])('do not occur for %s', async (_title, request, status, retryAfter) => {
    const { connection, sent } = connect([refused(status, retryAfter), ok()]);
    expect((await connection.fetch('token', request)).status).toBe(status);
    expect(sent).toHaveLength(1);
  });

  it('occur for reads and cancellations, also without an answer', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { connection, sent } = connect([refused(503)]);
      const request = new Request(`${baseUrl}/v1/payments/x/1`, { method });
      await expect(connection.fetch('token', request)).rejects.toMatchObject({ code: 'UNREACHABLE' });
      expect(sent).toHaveLength(5);
    }
  });
});
