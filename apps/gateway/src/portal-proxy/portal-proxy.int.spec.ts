import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { GatewayUnderTest } from '../testing/gateway-under-test.js';

const received: IncomingHttpHeaders[] = [];
const portal = createServer((request, response) => {
  received.push(request.headers);
  request.resume();
  response.end('a page');
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

describe('requests of browsers to the developer portal (docs/adr/0087)', () => {
  const sent = {
    cookie: 'xs2a_known_x=psu; workspace=session; demo=1',
    authorization: 'Bearer token',
    'x-ssl-client-cert': 'certificate',
    'x-forwarded-for': '203.0.113.9',
  };
  const headersAt = async (method: string, path: string): Promise<IncomingHttpHeaders> => {
    received.length = 0;
    const { status } = await gateway.call(method, path, {
      headers: { ...sent, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([status, received.length]).toEqual([200, 1]);
    return received[0] ?? {};
  };

  it('arrive with the cookie of the workspace only, and only at its pages and the start page', async () => {
    expect((await headersAt('GET', '/workspace/requests')).cookie).toBe('workspace=session');
    expect((await headersAt('POST', '/workspace/sign-in')).cookie).toBe('workspace=session');
    expect((await headersAt('GET', '/')).cookie).toBe('workspace=session');
    for (const path of ['/guides', '/reference/initiatePayment'])
      expect((await headersAt('GET', path)).cookie).toBeUndefined();
  });

  it('arrive once their form is complete, so that slow senders do not block others', async () => {
    const { port } = new URL(gateway.origin);
    const slow = Array.from({ length: 100 }, () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(
        'POST /workspace/sign-in HTTP/1.1\r\nHost: bank.example\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na',
      );
      return socket;
    });
    await Promise.all(slow.map(async (socket) => once(socket, 'connect')));
    expect((await headersAt('POST', '/workspace/sign-in')).cookie).toBe('workspace=session');
    for (const socket of slow) socket.destroy();
  });

  it('are 404 below /workspace at a bank, whose portal has no workspace', async () => {
    const bank = new GatewayUnderTest({ PORTAL: 'documents', PORTAL_URL: 'http://127.0.0.1:9' });
    await bank.start();
    for (const method of ['GET', 'POST'])
      expect((await bank.call(method, '/workspace/sign-in')).status).toBe(404);
    await bank.stop();
  });

  it('arrive without token, certificate and address', async () => {
    for (const path of ['/guides', '/workspace']) {
      const headers = await headersAt('GET', path);
      for (const name of ['authorization', 'x-ssl-client-cert', 'x-forwarded-for'])
        expect(headers[name]).toBeUndefined();
    }
  });
});
