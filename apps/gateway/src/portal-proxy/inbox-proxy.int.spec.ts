import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayUnderTest, readCode } from '../testing/gateway-under-test.js';

const received: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[] = [];
const portal = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  received.push({ headers: request.headers, body: Buffer.concat(chunks) });
  response.writeHead(request.url === '/inbox/unknown' ? 404 : 204, { 'set-cookie': 'a=b' }).end();
});
let gateway: GatewayUnderTest;
beforeAll(async () => {
  portal.listen(0, '127.0.0.1');
  await once(portal, 'listening');
  const { port } = portal.address() as AddressInfo;
  gateway = new GatewayUnderTest({ PORTAL: 'sandbox', PORTAL_URL: `http://127.0.0.1:${port}` });
  await gateway.start();
}, 30_000);
afterAll(async () => {
  await gateway.stop();
  portal.closeAllConnections();
  portal.close();
});
beforeEach(() => {
  received.length = 0;
});

const post = async (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> => fetch(`${gateway.origin}${path}`, { method: 'POST', body, headers });

describe('pushes to the inboxes of the developer portal (contract 13)', () => {
  it('arrive byte for byte, with the headers of a push only', async () => {
    const body = Uint8Array.from([0, 255, 10, 195, 40]);
    const headers = {
      'content-type': 'application/json',
      'x-jws-signature': 'head..signature',
      'x-request-id': 'f0a1c5de-7d43-4b0e-8f0a-3f1c2b9d6e11',
      'x-sandbox-clock': '2026-11-28T00:00:00.000Z',
    };
    const secrets = { authorization: 'Bearer token', cookie: 'workspace=session', 'psu-id': 'ivan' };
    const answer = await post('/inbox/one', body, { ...headers, ...secrets });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([204, null]);
    expect(received[0]?.body).toEqual(Buffer.from(body));
    expect(received[0]?.headers).toMatchObject(headers);
    for (const name of Object.keys(secrets)) expect(received[0]?.headers[name]).toBeUndefined();
  });

  it('are at most 64 KiB large', async () => {
    expect((await post('/inbox/size', 'x'.repeat(64 * 1024))).status).toBe(204);
    expect((await post('/inbox/size', 'x'.repeat(64 * 1024 + 1))).status).toBe(413);
    expect(received).toHaveLength(1);
  });

  it('are refused with 404 at an unknown inbox, and with 405 unless they are a POST', async () => {
    expect(readCode(await gateway.call('POST', '/inbox/unknown', {}))).toBe('404 RESOURCE_UNKNOWN');
    for (const path of ['/inbox', '/inbox/a/b', '/inbox/..%2Fworkspace'])
      expect((await post(path, 'x')).status).toBe(404);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await fetch(`${gateway.origin}/inbox/one`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
    expect(received).toHaveLength(1);
  });

  it('are refused with 429 once there are too many for one inbox, and the next inbox still receives', async () => {
    const answers: Response[] = [];
    for (let count = 0; count < 300; count += 1) answers.push(await post(`/inbox/flood?${count}`, 'x'));
    const isAccepted = ({ status }: Response): boolean => status === 204;
    expect(answers.slice(0, 200).every(isAccepted)).toBe(true);
    const refused = answers.filter((answer) => !isAccepted(answer));
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers } of refused) {
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await post('/inbox/other', 'x')).status).toBe(204);
  });

  it('are refused with 404 where the portal has no workspace', async () => {
    const bank = new GatewayUnderTest({ PORTAL: 'documents', PORTAL_URL: 'http://127.0.0.1:9' });
    await bank.start();
    expect((await bank.call('POST', '/inbox/one', {})).status).toBe(404);
    await bank.stop();
  });
});
