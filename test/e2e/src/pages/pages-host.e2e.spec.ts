// Lane: long (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { once } from 'node:events';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { World } from '@xs2a/test-support/world';

let world: World;
let edge: Server;
let pages: string;

/**
 * Starts the second host of an edge proxy: it forwards the pages that browsers open, but no part of the API
 * (k8s/components/gateway-api).
 */
const startPagesHost = async (gateway: () => string): Promise<Server> => {
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request;
    if (!/^\/(?:sca|oauth2\/authorize)(?:[/?]|$)/.test(url)) {
      response.writeHead(404).end();
      return;
    }
    const passed = forward(`${gateway()}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

beforeAll(async () => {
  edge = await startPagesHost(() => world.baseUrl);
  pages = `http://localhost:${(edge.address() as AddressInfo).port}`;
  world = await World.start({ gateway: { PAGES_URL: pages }, auth: { PAGES_URL: pages } });
});
afterAll(async () => {
  await world.stop();
  edge.closeAllConnections();
  edge.close();
});

describe('PSU pages on a separate host (contract 1)', () => {
  it('let a PSU sign in and approve only there, while the TPP redeems the code at the API host', async () => {
    const metadata = parseJson<Record<string, string>>(
      await send('GET', `${world.baseUrl}/.well-known/oauth-authorization-server`),
    );
    expect(metadata).toMatchObject({
      issuer: world.baseUrl,
      token_endpoint: `${world.baseUrl}/oauth2/token`,
      pushed_authorization_request_endpoint: `${world.baseUrl}/oauth2/par`,
      authorization_endpoint: `${pages}/oauth2/authorize`,
    });

    const tpp = world.tpp();
    const request = tpp.authorizationRequest('PSP_IC');
    const { search } = new URL(request.url);
    const browser = world.browser();
    // The browser stops at the first redirect to another origin, which is the origin of the TPP.
    await walkAndApprove(browser, `${metadata['authorization_endpoint']}${search}`, await world.person());
    expect(browser.leftTo?.startsWith(tpp.credentials.redirectUri)).toBe(true);
    const tokens = await tpp.redeem(tpp.parseCode(browser.leftTo, request), request);
    expect(tokens.access_token).toMatch(/^ey/);
  });

  it('are served without any part of the API', async () => {
    const answers = await Promise.all(
      ['/v1/payments', '/oauth2/token', '/openapi.json'].map(async (path) => send('POST', `${pages}${path}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
