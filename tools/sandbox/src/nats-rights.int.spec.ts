import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  natsAccountNames,
  natsAuthorization,
  type NatsAccount,
  operatorAccount,
  permissionsOf,
  systemUser,
} from '@xs2a/local-servers/nats-permissions';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { credentialsOf } from '@xs2a/messaging/connection';
import { createConnection } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Service = Exclude<NatsAccount, typeof operatorAccount>;
const services = natsAccountNames.filter((account): account is Service => account !== operatorAccount);
const passwordOf = (account: NatsAccount): string => `password-of-${account}`;

/** A subject that a pattern matches. */
const example = (pattern: string): string => pattern.replaceAll('*', 'x').replace(/>$/, 'x');
const matches = (pattern: string, subject: string): boolean => {
  const want = pattern.split('.');
  const have = subject.split('.');
  return (
    want.every((part, at) =>
      part === '>' ? have.length > at : (part === '*' && have[at] !== undefined) || part === have[at],
    ) &&
    (want.at(-1) === '>' || want.length === have.length)
  );
};
const allows = (patterns: readonly string[], subject: string): boolean =>
  patterns.some((pattern) => matches(pattern, subject));

/** What the server refuses of these protocol lines: the wire itself, so that no client library softens it. */
const refusals = (port: number, service: Service, lines: readonly string[]): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1');
    const login = JSON.stringify({
      user: service,
      pass: passwordOf(service),
      verbose: false,
      pedantic: false,
    });
    let heard = '';
    socket.once('error', reject);
    socket.on('data', (data) => {
      heard += data.toString();
      if (!heard.includes('PONG')) return;
      socket.destroy();
      const said = heard.matchAll(/Permissions Violation for (Publish|Subscription) to "([^"]+)"/g);
      resolve([...said].map(([, operation, subject]) => `${operation?.toLowerCase()} ${subject}`));
    });
    socket.write(`CONNECT ${login}\r\n${lines.join('\r\n')}\r\nPING\r\n`);
  });

describe('NATS accounts (quality: security)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-rights-'));
  let server: NatsServer;
  const open = async (account: NatsAccount, password = passwordOf(account)): Promise<NatsConnection> =>
    connect({
      ...credentialsOf(`nats://${account}:${password}@127.0.0.1:${server.port}`),
      reconnect: false,
      timeout: 5000,
    });
  beforeAll(async () => {
    server = await startNats({
      dataDir: join(folder, 'nats'),
      authorization: natsAuthorization((account) => JSON.stringify(passwordOf(account))),
    });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(natsAccountNames)('lets %s in with its own password only', async (account) => {
    await (await open(account)).close();
    await expect(open(account, 'another')).rejects.toThrow(/authorization/i);
  });

  /** Everything that anybody may publish or subscribe to, as subjects. */
  const all = (direction: 'publish' | 'subscribe'): string[] => [
    ...new Set([
      ...services.flatMap((service) => permissionsOf(service)[direction].map(example)),
      'nobody.may',
    ]),
  ];

  it.each(services)('refuses %s every subject that is not its own', async (service) => {
    const refused = await refusals(server.port, service, [
      ...all('publish').map((subject) => `PUB ${subject} 2\r\n{}`),
      ...all('subscribe').map((subject, id) => `SUB ${subject} ${id + 1}`),
    ]);
    const rights = permissionsOf(service);
    expect(refused.sort()).toEqual(
      [
        ...all('publish')
          .filter((subject) => !allows(rights.publish, subject))
          .map((subject) => `publish ${subject}`),
        ...all('subscribe')
          .filter((subject) => !allows(rights.subscribe, subject))
          .map((subject) => `subscription ${subject}`),
      ].sort(),
    );
  });

  it('lets a service answer what it was asked, and the asker alone hear it', async () => {
    const [asker, answerer, listener] = await Promise.all([open('payments'), open('accounts'), open('auth')]);
    const overheard: string[] = [];
    listener.subscribe('_INBOX.payments.>', {
      callback: (error, message) => {
        if (error === null) overheard.push(message.subject);
      },
    });
    answerer.subscribe('svc.accounts.facts', {
      queue: 'accounts',
      callback: (_error, message) => void message.respond('known'),
    });
    await Promise.all([answerer.flush(), listener.flush().catch(() => undefined)]);
    const answer = await asker.request('svc.accounts.facts', '{}', { timeout: 2000 });
    expect(answer.string()).toBe('known');
    expect(overheard).toEqual([]);
    await Promise.all([asker.close(), answerer.close(), listener.close()]);
  });

  it('lets the operator ask the servers how full JetStream is, in an account apart from everything else', async () => {
    const system = await connect({
      ...credentialsOf(`nats://${systemUser}:${passwordOf(operatorAccount)}@127.0.0.1:${server.port}`),
      reconnect: false,
      timeout: 5000,
    });
    const [publisher, operator] = await Promise.all([open('payments'), open('operator')]);
    const seen: string[] = [];
    system.subscribe('xs2a.>', { callback: (_error, { subject }) => void seen.push(subject) });
    await system.flush();
    publisher.publish('xs2a.payments.signed.1', '{}');
    await publisher.flush();
    const answer = await system.request('$SYS.REQ.SERVER.PING.JSZ', '', { timeout: 2000 });
    expect(answer.json()).toMatchObject({ data: { config: { max_storage: 10 * 1024 ** 3 } } });
    expect(seen).toEqual([]);
    await expect(operator.request('$SYS.REQ.SERVER.PING.JSZ', '', { timeout: 500 })).rejects.toThrow(
      'no responders',
    );
    await Promise.all([system.close(), publisher.close(), operator.close()]);
  });

  it('lets the operator watch every event', async () => {
    const [publisher, operator] = await Promise.all([open('payments'), open('operator')]);
    const seen = operator.subscribe('xs2a.>', { max: 1 });
    await operator.flush();
    publisher.publish('xs2a.payments.signed.1', '{}');
    for await (const message of seen) expect(message.subject).toBe('xs2a.payments.signed.1');
    await Promise.all([publisher.close(), operator.close()]);
  });
});
