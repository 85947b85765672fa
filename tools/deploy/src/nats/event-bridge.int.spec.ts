// Lane: long (it takes half a minute).
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrationUser, type NatsUser } from '@xs2a/nats/permissions/rights';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { makeAssetsAt } from '@xs2a/nats/jetstream-assets';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '@xs2a/sandbox/layout';

const makePassword = (user: NatsUser): string => `password-of-${user}`;
const folder = mkdtempSync(join(tmpdir(), 'xs2a-bridge-'));
const page = readFileSync(join(root, 'docs/how-to/publish-events-elsewhere.md'), 'utf8');
/** The bridge's NATS user, as documented on the page. */
const [bridgeUser = ''] = /^ *\{\n *user: bridge-streams[^]*?\n *\}\n(?= *```)/m.exec(page) ?? [];
let server: NatsServer;

const makeUrl = (user: string, password: string): string =>
  `nats://${user}:${password}@127.0.0.1:${server.port}`;
const operator = (): string => makeUrl('operator-streams', makePassword('operator'));

beforeAll(async () => {
  const accounts = natsConfiguration((user) => JSON.stringify(makePassword(user)));
  server = await startNats({
    dataDir: folder,
    accounts: accounts.replace(
      /jetstream: enabled\n *users: \[/,
      (users) => `${users}\n${bridgeUser.replace('$NATS_PASSWORD_BRIDGE', '"password-of-bridge"')}`,
    ),
  });
  await makeAssetsAt(makeUrl(migrationUser, makePassword(migrationUser)));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const bridge = (NATS_URL: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [join(root, 'docs/how-to/example-event-bridge/main.mjs'), ...args], {
    env: { PATH: process.env.PATH, NATS_URL, ACK_WAIT_SECONDS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

interface Record {
  readonly key: string;
  readonly value: string;
  readonly headers: { readonly id: string; readonly type: string };
}
/**
 * Returns all records that a bridge writes, including those written before it is stopped. `signal` stops the
 * bridge once `until` is true.
 */
const readRecords = async (
  process: ChildProcess,
  signal: NodeJS.Signals,
  until: (pos: number, count: number) => boolean,
): Promise<Record[]> => {
  const records: Record[] = [];
  if (process.stdout === null) throw new Error('the bridge has no output');
  for await (const line of createInterface({ input: process.stdout })) {
    const record = JSON.parse(line) as Record;
    records.push(record);
    const { pos } = JSON.parse(record.value) as { readonly pos: number };
    if (until(pos, records.length)) process.kill(signal);
  }
  return records;
};

const publish = async (count: number): Promise<void> => {
  const nats = await connect({
    servers: `127.0.0.1:${server.port}`,
    user: 'operator-streams',
    pass: makePassword('operator'),
  });
  const js = jetstream(nats);
  const events = Array.from({ length: count }, (_, index) => ({
    id: `event-${index + 1}`,
    subject: `payment-${(index + 1) % 7}`,
    type: 'xs2a.payments.initiated',
    pos: index + 1,
  }));
  await Promise.all(
    events.map(async (event) => js.publish('xs2a.payments.initiated.00', JSON.stringify(event))),
  );
  await nats.drain();
};

describe('the example of docs/how-to/publish-events-elsewhere.md', () => {
  it('delivers every event in order with the permissions on the page, even if killed between two events', async () => {
    const events = 3000;
    await publish(events);
    const making = bridge(operator(), 'make');
    const [made] = await once(making, 'exit');
    expect(made).toBe(0);

    const asBridge = makeUrl('bridge-streams', 'password-of-bridge');
    const first = bridge(asBridge);
    const before = await readRecords(first, 'SIGKILL', (_pos, count) => count === 150);
    expect(before.length).toBeLessThan(events);
    const second = bridge(asBridge);
    const ended = once(second, 'exit');
    const after = await readRecords(second, 'SIGTERM', (pos) => pos === events);
    expect(await ended).toEqual([0, null]);

    const ids = [...new Set([...before, ...after].map(({ headers }) => headers.id))];
    expect(ids).toEqual(Array.from({ length: events }, (_, index) => `event-${index + 1}`));
    expect(before[0]).toMatchObject({ key: 'payment-1', headers: { type: 'xs2a.payments.initiated' } });
    // Each event is sent only after the previous one is acknowledged, which takes half a minute in total on a
    // busy machine.
  }, 180_000);
});
