import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Clock } from '@xs2a/runtime/clock';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PortalConfig } from '../config.js';
import { ApiUnreachable, TppApi } from '../workspace/tpp-api.js';
import type { TppVisit } from '../workspace/visit.js';
import { OverviewController } from './overview.controller.js';

const tpp = { clientId: 'shop', clientSecret: 'present' };
const session = { csrf: 'csrf' };
const visit = {
  session,
  tpp,
  url: '/workspace/secret',
  form: new URLSearchParams(),
  beginSession: async () => session,
} satisfies TppVisit;

/**
 * The HTTP statuses that the API returns to the next requests: 0 closes the connection without an answer; 200 once the
 * list is empty.
 */
let statuses: number[];
let sent: { readonly headers: IncomingHttpHeaders; readonly text: string }[];
let server: Server;
let overview: OverviewController;

beforeEach(async () => {
  [statuses, sent] = [[], []];
  server = createServer(async (incoming, answer) => {
    const text = (await incoming.toArray()).join('');
    if (incoming.url === '/oauth2/token') return answer.end('{"access_token":"token"}');
    sent.push({ headers: incoming.headers, text });
    const status = statuses.shift() ?? 200;
    return status === 0 ? answer.destroy() : answer.writeHead(status).end('{"clientSecret":"new-secret"}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { GATEWAY_URL: url, BASE_URL: url } as PortalConfig;
  overview = new OverviewController(new TppApi(config), {} as Clock, config, {} as Profile);
});
afterEach(() => void server.close());

describe('the button "New secret" of the workspace', () => {
  it.each([
    ['is lost', 0],
    ['is 503', 503],
  ])(
    'shows the new secret if the first answer %s, by repeating the request with the same Idempotency-Key',
    async (_what, status) => {
      statuses = [status];
      expect((await overview.renewSecret(visit)).text).toContain('new-secret');
      const [first, second] = sent;
      expect(sent).toHaveLength(2);
      expect(first?.headers['idempotency-key']).toMatch(/.{20}/);
      expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
      expect(sent.map(({ text }) => text)).toEqual(Array(2).fill('{"clientSecret":"present"}'));
    },
  );

  it('sends one request for each click if the answer arrives, with a new Idempotency-Key for each click', async () => {
    await overview.renewSecret(visit);
    await overview.renewSecret(visit);
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
    expect(sent).toHaveLength(2);
  });

  it('stops after the second request if both answers are lost', async () => {
    statuses = [0, 0];
    await expect(overview.renewSecret(visit)).rejects.toBeInstanceOf(ApiUnreachable);
    expect(sent).toHaveLength(2);
  });
});
