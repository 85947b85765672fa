import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { issueTestQwac, newSandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { answerWithinMs, NotificationSender, type SenderOptions } from './send-notification.js';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { receiverRules } from '@xs2a/runtime/receivers/notification-receivers';

let receiver: HttpReceiver;
const senders: NotificationSender[] = [];
beforeEach(async () => {
  receiver = await HttpReceiver.start();
});
afterEach(async () => {
  for (const sender of senders.splice(0)) sender.close();
  await receiver.stop();
});

/** Returns why the notification was not accepted; undefined if it was. */
const send = async (uri: string, options: Partial<SenderOptions> = {}): Promise<string | undefined> => {
  const sender = new NotificationSender({ rules: { anywhere: true, ports: [443] }, ...options });
  senders.push(sender);
  const post = { uri, body: '{"paymentId":"p"}', requestId: 'r', signature: 'a..b' };
  const { accepted, answer } = await sender.send(post);
  if (accepted) expect(answer).toMatch(/^HTTP 2\d\d$/);
  return accepted ? undefined : answer;
};

/** Returns the server's address once it is listening. */
const listening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

describe('an attempt to send a notification (contract 11)', () => {
  it('is a POST of JSON with X-Request-ID and X-JWS-Signature', async () => {
    expect(await send(`${receiver.url}/told?x=1`)).toBeUndefined();
    const [post] = receiver.posts;
    expect(post).toMatchObject({ path: '/told?x=1', body: '{"paymentId":"p"}' });
    expect(post?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': 'r',
      'x-jws-signature': 'a..b',
    });
  });

  it.each([200, 201, 202, 204, 299])('succeeds with status %i', async (status) => {
    receiver.behaviour = () => status;
    expect(await send(receiver.url)).toBeUndefined();
  });

  it.each([400, 404, 410, 429, 500, 503])('fails with status %i', async (status) => {
    receiver.behaviour = () => status;
    expect(await send(receiver.url)).toBe(`HTTP ${status}`);
  });

  it.each([301, 302, 307, 308])('does not follow a redirect (%i)', async (status) => {
    receiver.behaviour = () => status;
    receiver.answerHeaders = { location: `${receiver.url}/elsewhere` };
    expect(await send(receiver.url)).toBe(`HTTP ${status}`);
    expect(receiver.posts).toHaveLength(1);
  });

  it('succeeds with a 2xx response within 5 s, and fails if there is no response by then', async () => {
    expect(answerWithinMs).toBe(5000);
    receiver.behaviour = () => 'hang';
    expect(await send(receiver.url, { answerWithinMs: 50 })).toBe('no answer in time');
  });

  it('fails if the receiver switches protocols (101), and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const server = createTcpServer((socket) => {
      socket.on('close', () => closed.resolve());
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      );
    });
    const uri = await listening(server);
    expect(await send(uri)).toBe('HTTP 101');
    await closed.promise;
    server.close();
  });

  it.each([
    ['nothing', ''],
    ['half a status line', 'HTTP/1.1 2'],
    ['an interim response', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('fails if the receiver closes the connection after %s', async (_kind, said) => {
    const server = createTcpServer((socket) => socket.once('data', () => socket.end(said)));
    expect(await send(await listening(server))).toMatch(/^(no connection|closed without)/);
    server.close();
  });

  it('ends in time even if the receiver sends endless interim responses', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 5);
        socket.once('close', () => clearInterval(timer));
      });
    });
    expect(await send(await listening(server), { answerWithinMs: 100 })).toBe('no answer in time');
    server.close();
  });

  it('reads at most 16 KB of a response', async () => {
    receiver.behaviour = () => 200;
    receiver.answerBody = 'x'.repeat(10_000_000);
    expect(await send(receiver.url)).toBeUndefined();
    receiver.answerHeaders = { 'x-long': 'y'.repeat(20_000) };
    expect(await send(receiver.url)).toContain('HPE_HEADER_OVERFLOW');
  });

  it('fails if nothing listens at the address, and does not name the receiver in the reason', async () => {
    const { url } = receiver;
    await receiver.stop();
    expect(await send(url)).toBe('no connection (ECONNREFUSED)');
    receiver = await HttpReceiver.start();
  });
});

describe('name resolution in the sandbox', () => {
  it('resolves localhost', async () => {
    expect(await send(receiver.url.replace('127.0.0.1', 'localhost'))).toBeUndefined();
  });

  it('does not block a shared thread when the name server is silent', async () => {
    const resources = new Set<string>();
    const hook = createHook({ init: (_id, type) => resources.add(type) }).enable();
    await send('http://tpp.invalid/', { answerWithinMs: 50 });
    hook.disable();
    // GETADDRINFOREQWRAP is a libuv thread; QUERYWRAP is a query that c-ares sends over UDP.
    expect([resources.has('QUERYWRAP'), resources.has('GETADDRINFOREQWRAP')]).toEqual([true, false]);
  });
});

describe('allowed targets of a notification outside a sandbox with a loopback host (contract 11: never a private address)', () => {
  const outside = { rules: receiverRules({ SANDBOX: true, BASE_URL: 'https://sandbox.bank.example' }) };
  /** Inserts the port of the receiver, which listens on 127.0.0.1. */
  const atItsPort = (uri: string): { uri: string; options: Partial<SenderOptions> } => {
    const { port } = new URL(receiver.url);
    const rules = { anywhere: false, ports: [443, Number(port)] };
    return { uri: uri.replace('PORT', port), options: { rules } };
  };

  it('must use https', async () => {
    expect(await send(receiver.url, outside)).toBe('the address is not https');
    expect(receiver.connections).toBe(0);
  });

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    '169.254.169.254',
  ])('exclude the address %s', async (host) => {
    const { uri, options } = atItsPort(`https://${host}:PORT/x`);
    expect(await send(uri, options)).toBe('the host has an address that is not public');
    expect(receiver.connections).toBe(0);
  });

  it.each([
    ['loopback', ['127.0.0.1']],
    ['private', ['10.0.0.1']],
    ['private next to a public one', ['93.184.215.14', '192.168.0.1']],
    ['an IPv4 address in IPv6 form', ['::ffff:127.0.0.1']],
    ['translated (NAT64)', ['64:ff9b::7f00:1']],
    ['6to4', ['2002:7f00:1::1']],
  ])('exclude a name with an address that is %s', async (_kind, addresses) => {
    const resolve = async (): Promise<string[]> => addresses;
    const { uri, options } = atItsPort('https://tpp.example:PORT/told');
    expect(await send(uri, { ...options, resolve })).toBe('the host has an address that is not public');
    expect(receiver.connections).toBe(0);
  });

  it('exclude ports other than 443 and those that the bank allows, before the name is resolved', async () => {
    let asked = 0;
    const resolve = async (): Promise<string[]> => {
      asked += 1;
      return ['127.0.0.1'];
    };
    const { port } = new URL(receiver.url);
    expect(await send(`https://tpp.example:${port}/`, { ...outside, resolve })).toBe(
      'the port is not allowed',
    );
    expect([asked, receiver.connections]).toEqual([0, 0]);
  });

  it('are reached at the checked address, after the name has been resolved only once', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const resolve = async (): Promise<readonly string[]> => answers[asked++] ?? [];
    const uri = receiver.url.replace('127.0.0.1', 'tpp.example');
    expect(await send(uri, { resolve })).toBeUndefined();
    expect([asked, receiver.posts.length]).toEqual([1, 1]);
  });

  it('exclude a server whose certificate was not issued by a public authority', async () => {
    const wanted = {
      name: 'TPP',
      organizationIdentifier: 'PSDBG-BNB-12345',
      roles: ['PSP_PI'],
      days: 1,
    } as const;
    const issued = issueTestQwac(wanted, newSandboxAuthority(Date.now()), Date.now());
    const { certificate: cert, privateKey: key } = issued;
    const server = createServer({ cert, key }, (_request, response) => response.end());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as { port: number };
    expect(await send(`https://127.0.0.1:${port}/`)).toBe('no connection (UNABLE_TO_VERIFY_LEAF_SIGNATURE)');
    server.close();
  });
});
