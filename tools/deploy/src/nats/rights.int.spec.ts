// Lane: long (it takes half a minute).
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dpopProofBucket, dpopProofStore } from '@xs2a/contracts/auth.contract';
import { freePort } from '@xs2a/local-servers/free-port';
import { callPermissions, type Permissions, streamPermissions } from '@xs2a/nats/permissions/permissions';
import {
  type CallUser,
  callUsers,
  bankUser,
  migrationUser,
  natsUsers,
  type NatsUser,
  operatorUser,
  toStreamName,
  type StreamUser,
  streamUsers,
} from '@xs2a/nats/permissions/rights';
import { natsConfiguration, natsPasswordVariable } from '@xs2a/nats/permissions/server-configuration';
import { type NatsServer, natsProgram, startNats } from '@xs2a/local-servers/nats-server';
import { parseCredentials, parseStreamCredentials } from '@xs2a/nats/nats-url';
import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { publishing, refusalsOf } from '@xs2a/nats/testing/refusals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';

const makePassword = (user: NatsUser): string => `password-of-${user}`;
const folder = mkdtempSync(join(tmpdir(), 'xs2a-rights-'));
let server: NatsServer;
/** A server configured as in a deployment, but with this test's port and folders. */
let deployed: ChildProcess;
let deployedPort: number;

const connectTo = async (port: number, options: ConnectionOptions): Promise<NatsConnection> =>
  connect({ ...options, servers: `127.0.0.1:${port}`, reconnect: false, timeout: 5000 });
const url = (user: string, password = makePassword(user as NatsUser)): string =>
  `nats://${user}:${password}@127.0.0.1:${server.port}`;
const asCaller = async (user: CallUser): Promise<NatsConnection> =>
  connectTo(server.port, parseCredentials(url(user)));
const asStreamUser = async (user: StreamUser): Promise<NatsConnection> =>
  connectTo(server.port, parseStreamCredentials(url(user)));

beforeAll(async () => {
  server = await startNats({
    dataDir: join(folder, 'nats'),
    accounts: natsConfiguration((user) => JSON.stringify(makePassword(user))),
  });
  deployedPort = await freePort();
  const passwords = natsUsers.map((user) => [natsPasswordVariable(user), makePassword(user)]);
  const file = join(folder, 'nats-server.conf');
  const configuration = readFileSync(join(root, 'deploy/nats/nats-server.conf'), 'utf8');
  writeFileSync(file, configuration.replace('"/data"', JSON.stringify(join(folder, 'deployed'))));
  deployed = spawn(
    natsProgram() ?? 'nats-server',
    ['-c', file, '-p', String(deployedPort), '-m', String(await freePort())],
    { env: { ...process.env, ...Object.fromEntries(passwords) }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await new Promise<void>((ready, failed) => {
    deployed.stderr?.on('data', (text) => String(text).includes('Server is ready') && ready());
    deployed.once('exit', () => failed(new Error('deploy/nats/nats-server.conf does not start')));
  });
  const migration = await asStreamUser(migrationUser);
  await makeAssets(migration);
  await migration.close();
}, 60_000);
afterAll(async () => {
  deployed.kill();
  if (deployed.exitCode === null) await once(deployed, 'exit');
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('nats-server accepts only known users (CVE-2023-47090; quality, Security)', () => {
  const strangers: [string, ConnectionOptions][] = [
    ['no credentials', {}],
    ['empty credentials', { user: '', pass: '' }],
    ['an empty password', { user: 'payments', pass: '' }],
    ['no password', { user: 'payments' }],
    ['another password', { user: 'payments', pass: 'another' }],
    ['another user', { user: 'nobody', pass: makePassword('payments') }],
    ['a user of another account by that account’s name', { user: 'STREAMS', pass: makePassword('payments') }],
    ['a token', { token: 'anything' }],
  ];
  const places: [string, () => number][] = [
    ['the sandbox', () => server.port],
    ['a deployment (deploy/nats/nats-server.conf)', () => deployedPort],
  ];
  it.each(places.flatMap(([place, port]) => strangers.map(([what, who]) => ({ place, port, what, who }))))(
    'in $place: a connection with $what is refused',
    async ({ port, who }) => {
      await expect(connectTo(port(), who)).rejects.toThrow(/authorization/i);
    },
  );

  it.each(places.flatMap(([place, port]) => natsUsers.map((user) => ({ place, port, user }))))(
    'in $place: $user can connect with its own password',
    async ({ port, user }) => {
      const names = [
        ...(callUsers as readonly string[]).filter((one) => one === user),
        ...streamUsers.filter((one) => one === user).map(toStreamName),
      ];
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        await (await connectTo(port(), { user: name, pass: makePassword(user) })).close();
        await expect(connectTo(port(), { user: name, pass: 'another' })).rejects.toThrow(/authorization/i);
      }
    },
  );
});

const refusals = async (user: string, password: string, lines: readonly string[]): Promise<string[]> =>
  refusalsOf(server.port, { user, password }, lines);

/** Returns a subject that matches the pattern. */
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

const callers = callUsers.map((user) => ({ name: user as string, user, rights: callPermissions(user) }));
const streamers = streamUsers
  .filter((user) => user !== operatorUser)
  .map((user) => ({ name: toStreamName(user), user, rights: streamPermissions(user) as Permissions }));
const everybody = [...callers, ...streamers];

describe('NATS users (quality: security)', () => {
  /** Returns all subjects that any user may publish or subscribe to. */
  const all = (direction: keyof Permissions): string[] => [
    ...new Set([...everybody.flatMap(({ rights }) => rights[direction].map(example)), 'nobody.may']),
  ];

  it.each(everybody)('$name is denied every subject except its own', async ({ name, user, rights }) => {
    const refused = await refusals(name, makePassword(user), [
      ...all('publish').map(publishing),
      ...all('subscribe').map((subject, id) => `SUB ${subject} ${id + 1}`),
    ]);
    const unheard = all('subscribe').filter((subject) => !allows(rights.subscribe, subject));
    expect(refused.sort()).toEqual(
      [
        ...all('publish')
          .filter((subject) => !allows(rights.publish, subject))
          .map((subject) => `publish ${subject}`),
        ...unheard.map((subject) => `subscription ${subject}`),
      ].sort(),
    );
  });

  it('a service may answer a call, and only the caller receives the response', async () => {
    const [asker, answerer, listener] = await Promise.all([
      asCaller('payments'),
      asCaller('accounts'),
      asCaller('auth'),
    ]);
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

  it('the operator may read every event', async () => {
    const [publisher, operator] = await Promise.all([asStreamUser('payments'), asStreamUser('operator')]);
    const seen = operator.subscribe('xs2a.>', { max: 1 });
    await operator.flush();
    publisher.publish('xs2a.payments.signed.1', '{}');
    for await (const message of seen) expect(message.subject).toBe('xs2a.payments.signed.1');
    await Promise.all([publisher.close(), operator.close()]);
  });
});

/** nats-server's JetStream management calls, both for our streams and consumers and for unknown ones. */
const streamNames = [
  'PAYMENTS',
  'CONSENTS',
  'KV_CLOCK',
  'KV_TPPS',
  'KV_REVOCATIONS',
  'KV_DPOP_PROOFS',
  'NEW',
];
const ofStreams =
  'CREATE UPDATE DELETE PURGE SNAPSHOT RESTORE MSG.DELETE PEER.REMOVE LEADER.STEPDOWN TEMPLATE.CREATE TEMPLATE.DELETE';
const ofTheAccount =
  'STREAM.NAMES STREAM.LIST STREAM.TEMPLATE.NAMES META.LEADER.STEPDOWN SERVER.REMOVE ACCOUNT.PURGE.STREAMS ACCOUNT.STREAM.MOVE.STREAMS.PAYMENTS SERVER.STREAM.MOVE.STREAMS.PAYMENTS';
const managementCalls = streamNames
  .flatMap((name) => [
    ...ofStreams.split(' ').map((call) => `STREAM.${call}.${name}`),
    ...['NAMES', 'LIST', 'CREATE'].map((call) => `CONSUMER.${call}.${name}`),
    ...['settlement', 'mine'].flatMap((durable) => [
      `CONSUMER.CREATE.${name}.${durable}`,
      `CONSUMER.CREATE.${name}.${durable}.xs2a.payments.signed.>`,
      `CONSUMER.CREATE.${name}.${durable}.xs2a.>`,
      `CONSUMER.DURABLE.CREATE.${name}.${durable}`,
      `CONSUMER.DELETE.${name}.${durable}`,
      `CONSUMER.LEADER.STEPDOWN.${name}.${durable}`,
    ]),
  ])
  .concat(ofTheAccount.split(' '))
  .map((call) => `$JS.API.${call}`);

describe('JetStream management (docs/adr/0019; quality, Security)', () => {
  const ofMigration =
    /^\$JS\.API\.(?:STREAM\.(?:CREATE|UPDATE)\.\w+|CONSUMER\.(?:CREATE\.PAYMENTS\.settlement\.xs2a\.payments\.signed\.>|DELETE\.PAYMENTS\.settlement))$/;
  const mayManage = (name: string, call: string): boolean =>
    name === toStreamName(migrationUser) && ofMigration.test(call);

  it.each(everybody)(
    '$name is denied every management call that it does not need',
    async ({ name, user }) => {
      const refused = await refusals(name, makePassword(user), managementCalls.map(publishing));
      expect(refused).toEqual(
        managementCalls.filter((call) => !mayManage(name, call)).map((call) => `publish ${call}`),
      );
    },
  );

  it('settlement-worker may only pull from its durable consumer, read its state and acknowledge its messages', async () => {
    const { publish } = streamPermissions('settlement-worker') as Permissions;
    expect(publish.filter((subject) => /PAYMENTS|xs2a/.test(subject)).sort()).toEqual([
      '$JS.ACK.PAYMENTS.settlement.>',
      '$JS.API.CONSUMER.INFO.PAYMENTS.settlement',
      '$JS.API.CONSUMER.MSG.NEXT.PAYMENTS.settlement',
    ]);
    const [publisher, worker, migration] = await Promise.all([
      asStreamUser('payments'),
      asStreamUser('settlement-worker'),
      asStreamUser(migrationUser),
    ]);
    // Other tests remove the streams, buckets and consumers, because they try every permission.
    await makeAssets(migration);
    const { num_pending: before } = await (
      await jetstream(worker).consumers.get('PAYMENTS', 'settlement')
    ).info();
    publisher.publish('xs2a.payments.signed.1', 'one');
    publisher.publish('xs2a.payments.initiated.1', 'two');
    await publisher.flush();
    const consumer = await jetstream(worker).consumers.get('PAYMENTS', 'settlement');
    const pulled: string[] = [];
    for await (const message of await consumer.fetch({ max_messages: before + 1 })) {
      pulled.push(message.string());
      await message.ackAck();
    }
    expect(pulled.at(-1)).toBe('one');
    expect(await consumer.info()).toMatchObject({ num_pending: 0, num_ack_pending: 0 });
    await expect(consumer.delete()).rejects.toThrow(/permissions/i);
    await Promise.all([publisher.close(), worker.close(), migration.close()]);
  });

  it('the migration job recreates a lost durable consumer, and replaces one with a different configuration', async () => {
    const [operator, migration] = await Promise.all([asStreamUser('operator'), asStreamUser(migrationUser)]);
    await makeAssets(migration);
    const { consumers } = await jetstreamManager(operator);
    await consumers.delete('PAYMENTS', 'settlement');
    const made = { changed: ['consumer settlement of PAYMENTS made'], refused: [] };
    expect(await makeAssets(migration)).toEqual(made);
    expect((await makeAssets(migration)).changed).toEqual([]);
    await consumers.delete('PAYMENTS', 'settlement');
    // A consumer with a filter.
    const filter_subject = 'xs2a.payments.signed.>';
    await consumers.add('PAYMENTS', { durable_name: 'settlement', ack_policy: 'explicit', filter_subject });
    expect((await makeAssets(migration)).changed).toEqual(['consumer settlement of PAYMENTS replaced']);
    expect((await makeAssets(migration)).changed).toEqual([]);
    await Promise.all([operator.close(), migration.close()]);
  });

  it('the migration job resizes the used-proofs bucket to the size defined in this release', async () => {
    const [operator, migration] = await Promise.all([asStreamUser('operator'), asStreamUser(migrationUser)]);
    await makeAssets(migration);
    const { streams } = await jetstreamManager(operator);
    const bucket = `KV_${dpopProofBucket}`;
    await streams.update(bucket, { max_bytes: 64 * 1024 * 1024 });
    const changed = [`bucket ${dpopProofBucket} bounded to ${dpopProofStore.maxBytes} bytes`];
    expect(await makeAssets(migration)).toEqual({ changed, refused: [] });
    expect((await streams.info(bucket)).config.max_bytes).toBe(dpopProofStore.maxBytes);
    await Promise.all([operator.close(), migration.close()]);
  });

  it('no user’s stream can store a call between services, because calls are in an account without JetStream', async () => {
    const [operator, asker, answerer] = await Promise.all([
      asStreamUser('operator'),
      asCaller('payments'),
      asCaller('accounts'),
    ]);
    const { streams } = await jetstreamManager(operator);
    await streams.add({ name: 'SPY', subjects: ['svc.>', '_INBOX.payments.>'] });
    answerer.subscribe('svc.accounts.facts', { callback: (_error, message) => void message.respond('x') });
    await answerer.flush();
    await asker.request('svc.accounts.facts', '{"password":"secret"}', { timeout: 2000 });
    expect((await streams.info('SPY')).state.messages).toBe(0);
    await streams.delete('SPY');
    await expect(jetstreamManager(asker, { timeout: 500 })).rejects.toThrow(/permissions/i);
    await Promise.all([operator.close(), asker.close(), answerer.close()]);
  });

  it('no stream can forge a call, because republished messages stay in the streams account', async () => {
    const [operator, answerer] = await Promise.all([asStreamUser('operator'), asCaller('accounts')]);
    const heard: string[] = [];
    answerer.subscribe('svc.accounts.>', { callback: (_error, { subject }) => void heard.push(subject) });
    await answerer.flush();
    const { streams } = await jetstreamManager(operator);
    const republish = { src: 'forged', dest: 'svc.accounts.holds.post' };
    await streams.add({ name: 'FORGE', subjects: ['forged'], republish });
    const republished = operator.subscribe('svc.accounts.holds.post', { max: 1 });
    await operator.flush();
    operator.publish('forged', '{}');
    for await (const { subject } of republished) expect(subject).toBe('svc.accounts.holds.post');
    await answerer.flush();
    expect(heard).toEqual([]);
    await streams.delete('FORGE');
    await Promise.all([operator.close(), answerer.close()]);
  });

  it('the operator receives no calls, and may make only the calls that are meant for it', () => {
    const { publish, subscribe } = callPermissions(operatorUser);
    expect(publish).toEqual([
      'svc.auth.operator.*',
      'svc.auth.console.keys',
      'svc.accounts.operator.*',
      'svc.payments.operator.find',
      'svc.payments.operator.hand-to-settlement',
      'svc.payments.console.keys',
      'svc.settlement.operator.close-late-instant',
      'svc.settlement.operator.try-now',
      'svc.consents.console.list',
      'svc.consents.console.keys',
      'svc.consents.operator.end',
      'svc.console.operator.*',
      'inquiry.auth',
      'inquiry.accounts',
      'inquiry.payments',
      'inquiry.settlement',
      'inquiry.consents',
      'inquiry.console',
      'instance.*.svc.auth.operator.*',
      'instance.*.svc.auth.console.keys',
      'instance.*.svc.accounts.operator.*',
      'instance.*.svc.payments.operator.find',
      'instance.*.svc.payments.operator.hand-to-settlement',
      'instance.*.svc.payments.console.keys',
      'instance.*.svc.settlement.operator.close-late-instant',
      'instance.*.svc.settlement.operator.try-now',
      'instance.*.svc.consents.console.list',
      'instance.*.svc.consents.console.keys',
      'instance.*.svc.consents.operator.end',
      'instance.*.svc.console.operator.*',
    ]);
    expect(subscribe.filter((subject) => !subject.includes('_INBOX.operator.'))).toEqual(['pulse.>']);
  });

  it('the core bank receives its calls, asks about payees, and has no user in the streams account', () => {
    expect(callPermissions(bankUser)).toEqual({
      publish: ['svc.accounts.payees.answer'],
      subscribe: ['svc.bank.>', '_INBOX.bank.>', 'heartbeat._INBOX.bank.>'],
    });
    expect((streamUsers as readonly string[]).includes(bankUser)).toBe(false);
  });
});
