import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReceiverRules } from '@xs2a/runtime/receivers/notification-receivers';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CheckedRequests } from '../checked-requests.js';
import type { Resolve } from '../receiver-address.js';
import { VisitLimit } from './visit-limit.js';
import { VisitsController } from './visits.controller.js';

const clock = { realMs: 0 };
const anywhere: ReceiverRules = { anywhere: true, ports: [443] };
const hosted: ReceiverRules = { anywhere: false, ports: [443] };
const visitsWith = (rules = anywhere, resolve?: Resolve): VisitsController =>
  new VisitsController(new CheckedRequests({ rules, ...(resolve === undefined ? {} : { resolve }) }), limit);

let limit: VisitLimit;
let server: Server;
let asked: IncomingMessage[];
let answer: (response: ServerResponse) => void;
let origin: string;
beforeEach(async () => {
  clock.realMs = 1_000_000;
  limit = new VisitLimit(clock as ConstructorParameters<typeof VisitLimit>[0]);
  asked = [];
  server = createServer((request, response) => {
    asked.push(request);
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('a visit of a TPP’s application (contract 13)', () => {
  it('is one GET of HTML, whose redirect is returned and not followed', async () => {
    answer = (response) => response.writeHead(302, { location: '/paid?x=1' }).end();
    const uri = `${origin}/callback?state=wrong&code=1`;
    expect(await visitsWith().visit({ tppId: 'tpp', uri })).toEqual({ status: 302, location: '/paid?x=1' });
    expect(asked.map(({ method, url, headers }) => [method, url, headers.accept])).toEqual([
      ['GET', '/callback?state=wrong&code=1', 'text/html'],
    ]);
  });

  it('returns no more than the status of an answer, however large it is', async () => {
    answer = (response) => response.writeHead(500).end('x'.repeat(1_000_000));
    expect(await visitsWith().visit({ tppId: 'tpp', uri: origin })).toEqual({ status: 500 });
  });

  it('returns why there was no answer', async () => {
    answer = (response) => response.destroy();
    expect(await visitsWith().visit({ tppId: 'tpp', uri: origin })).toEqual({
      failure: 'no connection (ECONNRESET)',
    });
  });

  it('returns a failure for a status that HTTP does not have', async () => {
    answer = ({ socket }) => socket?.end('HTTP/1.1 099 x\r\ncontent-length: 0\r\n\r\n');
    expect(await visitsWith().visit({ tppId: 'tpp', uri: origin })).toEqual({
      failure: 'the answer has no valid status',
    });
  });

  it.each([
    ['https://10.0.0.1/', 'the host has an address that is not public'],
    ['https://app.example/', 'the host has an address that is not public'],
    ['https://app.example:8443/', 'the port is not allowed'],
    ['http://localhost:3000/', 'the address is not https'],
  ])('in a hosted sandbox goes to public addresses only: %s', async (uri, failure) => {
    const toPrivate: Resolve = async () => Promise.resolve(['93.184.215.14', '127.0.0.1']);
    expect(await visitsWith(hosted, toPrivate).visit({ tppId: 'tpp', uri })).toEqual({ failure });
  });

  it('may take place 30 times in any minute for each TPP', async () => {
    answer = (response) => response.end();
    const visits = visitsWith();
    const one = async (tppId = 'tpp'): Promise<unknown> => visits.visit({ tppId, uri: origin });
    await one();
    clock.realMs += 20_000;
    await Promise.all(Array.from({ length: 29 }, async () => one()));
    await expect(one()).rejects.toMatchObject({ failures: [{ failure: 'visitsExceeded', retryAfter: 40 }] });
    expect(await one('another')).toEqual({ status: 200 });
    clock.realMs += 40_000;
    expect(await one()).toEqual({ status: 200 });
    await expect(one()).rejects.toMatchObject({ failures: [{ retryAfter: 20 }] });
  });
});
