// Lane: long (it takes half a minute).
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { parseCredentials, parseStreamCredentials } from '@xs2a/nats/nats-url';
import { operatorUser, systemUser } from '@xs2a/nats/permissions/rights';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { publishing, refusalsOf } from '@xs2a/nats/testing/refusals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const password = 'operators-password';
const folder = mkdtempSync(join(tmpdir(), 'xs2a-system-user-'));
let server: NatsServer;
let system: NatsConnection;
let operator: NatsConnection;

const asUser = async (
  user: string,
  parse: typeof parseCredentials = parseCredentials,
): Promise<NatsConnection> =>
  connect({
    ...parse(`nats://${user}:${password}@127.0.0.1:${server.port}`),
    reconnect: false,
    timeout: 5000,
  });

beforeAll(async () => {
  server = await startNats({
    dataDir: join(folder, 'nats'),
    accounts: natsConfiguration(() => JSON.stringify(password)),
  });
  system = await asUser(systemUser);
  operator = await asUser(operatorUser, parseStreamCredentials);
  await makeAssets(operator);
}, 60_000);
afterAll(async () => {
  await Promise.all([system.close(), operator.close()]);
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const streamNames = async (): Promise<string[]> => {
  const names: string[] = [];
  for await (const name of (await jetstreamManager(operator)).streams.names()) names.push(name);
  return names.toSorted();
};

/** The requests that nats-server's $SYS account accepts. */
const calls = [
  '$JS.API.ACCOUNT.PURGE.STREAMS',
  '$JS.API.SERVER.REMOVE',
  '$JS.API.ACCOUNT.STREAM.MOVE.STREAMS.PAYMENTS',
  '$JS.API.ACCOUNT.STREAM.CANCEL_MOVE.STREAMS.PAYMENTS',
  '$JS.API.META.LEADER.STEPDOWN',
  '$JS.API.STREAM.DELETE.PAYMENTS',
  '$JS.API.STREAM.PURGE.PAYMENTS',
  '$JS.API.STREAM.CREATE.NEW',
  '$SYS.REQ.ACCOUNT.STREAMS.CLAIMS.UPDATE',
  '$SYS.REQ.ACCOUNT.STREAMS.INFO',
  '$SYS.REQ.ACCOUNT.STREAMS.CONNZ',
  '$SYS.REQ.ACCOUNT.PING.CONNZ',
  '$SYS.REQ.CLAIMS.UPDATE',
  '$SYS.REQ.CLAIMS.DELETE',
  '$SYS.REQ.CLAIMS.LIST',
  '$SYS.REQ.USER.INFO',
  '$SYS.REQ.SERVER.PING',
  '$SYS.REQ.SERVER.PING.CONNZ',
  '$SYS.REQ.SERVER.PING.PROFILEZ',
  '$SYS.REQ.SERVER.SERVERID.RELOAD',
  '$SYS.REQ.SERVER.SERVERID.KICK',
  '$SYS.REQ.SERVER.SERVERID.LDM',
  '$SYS.REQ.SERVER.SERVERID.SHUTDOWN',
  '$SYS.ACCOUNT.STREAMS.CONNECT',
  '$SYS.SERVER.SERVERID.SHUTDOWN',
  'xs2a.payments.signed.1',
  'svc.accounts.facts',
];
const subjects = [
  '>',
  '$SYS.>',
  '$SYS.ACCOUNT.*.CONNECT',
  '$SYS.SERVER.ACCOUNT.*.CONNS',
  '$SYS.REQ.SERVER.PING.JSZ',
  '$JS.>',
  '_INBOX.>',
  '_INBOX.operator.>',
];

describe('the $SYS account user (quality, Security)', () => {
  it('reads the JetStream usage of each server', async () => {
    const answer = await system.request('$SYS.REQ.SERVER.PING.JSZ', '', { timeout: 2000 });
    expect(answer.json()).toMatchObject({ data: { config: { max_storage: 10 * 1024 ** 3 } } });
    await expect(operator.request('$SYS.REQ.SERVER.PING.JSZ', '', { timeout: 500 })).rejects.toThrow(
      'no responders',
    );
  });

  it('cannot delete the streams of an account', async () => {
    const before = await streamNames();
    expect(before).toContain('PAYMENTS');
    for (const call of ['ACCOUNT.PURGE.STREAMS', 'STREAM.DELETE.PAYMENTS', 'STREAM.PURGE.PAYMENTS'])
      await system.request(`$JS.API.${call}`, '', { timeout: 500 }).catch(() => undefined);
    expect(await streamNames()).toEqual(before);
  });

  it('may publish only the JetStream usage request, and may subscribe only to replies to its own requests', async () => {
    const refused = await refusalsOf(server.port, { user: systemUser, password }, [
      ...[...calls, '$SYS.REQ.SERVER.PING.JSZ'].map(publishing),
      ...[...subjects, `_INBOX.${systemUser}.x`].map((subject, id) => `SUB ${subject} ${id + 1}`),
    ]);
    expect(refused).toEqual([
      ...calls.map((subject) => `publish ${subject}`),
      ...subjects.map((subject) => `subscription ${subject}`),
    ]);
  });
});
