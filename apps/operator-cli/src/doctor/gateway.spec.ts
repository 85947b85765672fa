import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connections } from '../connections.js';
import { gatewayCheck } from './gateway.js';

let answer: { readonly status: number; readonly body: string };
const server = createServer((_request, response) => response.writeHead(answer.status).end(answer.body));
let baseUrl: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const check = async (address = baseUrl) => gatewayCheck.run({ baseUrl: address } as unknown as Connections);

describe('the gateway line of doctor', () => {
  it('passes if the gateway is ready', async () => {
    answer = { status: 200, body: '{"ok":true,"checks":{"nats":"ok"}}' };
    expect(await check()).toEqual({ ok: true, text: `${baseUrl} answers 200` });
  });

  it('states why the gateway is not ready', async () => {
    const keys =
      'BASE_URL is https://a, but the authorization server uses https://b: every token is rejected';
    answer = { status: 503, body: JSON.stringify({ ok: false, checks: { nats: 'ok', keys, tpps: 'down' } }) };
    expect(await check()).toEqual({
      ok: false,
      text: `${baseUrl} answers 503; keys: ${keys}; tpps: down`,
      repair: `curl -i ${baseUrl}/health/ready`,
    });
    answer = { status: 502, body: '<html>' };
    expect(await check()).toMatchObject({ ok: false, text: `${baseUrl} answers 502` });
  });

  it('states that the address is not configured, or that the gateway does not answer', async () => {
    expect(await gatewayCheck.run({} as unknown as Connections)).toMatchObject({
      ok: true,
      text: expect.stringContaining('BASE_URL'),
    });
    expect(await check('http://127.0.0.1:1')).toMatchObject({
      ok: false,
      text: 'http://127.0.0.1:1 does not answer',
    });
  });
});
