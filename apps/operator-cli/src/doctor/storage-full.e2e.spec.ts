// Lane: nightly (the disk of JetStream fills up).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager, type StreamState } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventStreams } from '@xs2a/contracts/event-streams';
import type { PublishedEvent } from '@xs2a/events/published-event';
import { parseStreamCredentials } from '@xs2a/nats/nats-url';
import { root } from '@xs2a/runtime/release';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { serverStorages } from './server-storage.js';
import { ended, launch, parseValues } from '../testing/command-process.js';
import { Customer } from '../testing/customer.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-full-'));
/**
 * The smallest limit that is allowed, in megabytes. A store of 5 MB is smaller than the sandbox's own limit, so
 * the sandbox's limit is rejected.
 */
const bound = 4;
let sandbox: Sandbox;
let owner: Pool;
let customer: Customer;

const page = readFileSync(join(root, 'docs/runbooks/disk-fills.md'), 'utf8');
/** The operator commands on the page, in order, without those in examples of output. */
const commands = [...page.matchAll(/(?<!Run: )npm run xs2a -- ([^`\n]*)/g)].map(([, command = '']) =>
  command.split(' '),
);

beforeAll(async () => {
  sandbox = await startSandbox({
    sourceMaps: false,
    dataDir: folder,
    port: 0,
    natsFileStore: '5MB',
  });
  owner = new Pool({ connectionString: sandbox.databaseUrl('xs2a_owner'), max: 1 });
  customer = await Customer.of(sandbox.baseUrl);
}, 120_000);
afterAll(async () => {
  await owner?.end();
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

/** A long text, so that a few thousand payments are enough to fill the store. */
const long = {
  creditorName: 'Ж'.repeat(70),
  remittanceInformationUnstructured: 'Щ'.repeat(140),
  creditorAddress: { streetName: 'Ю'.repeat(70), townName: 'Я'.repeat(70), country: 'BG' },
};
/** Initiates this many payments. Fails unless each request returns 201. */
const initiate = async (count: number): Promise<void> => {
  let left = count;
  const client = async (): Promise<void> => {
    for (; left > 0; left -= 1) await customer.initiate(long);
  };
  await Promise.all(Array.from({ length: 16 }, client));
};
const stream = async (): Promise<StreamState> => {
  const nats = await connect(parseStreamCredentials(sandbox.natsUrl()));
  try {
    return (await (await jetstreamManager(nats)).streams.info(eventStreams.payments)).state;
  } finally {
    await nats.close();
  }
};
const committed = async (): Promise<number> => {
  const { rows } = await owner.query<{ count: string }>('SELECT count(*) FROM payments.events');
  return Number(rows[0]?.count);
};
const until = async (seconds: number, isSo: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not so within ${seconds} s: ${isSo.toString()}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
  }
};
/** Returns the used fraction of JetStream's storage, from 0 to 1. */
const used = async (): Promise<number> => {
  const [storage] = (await serverStorages(sandbox.natsUrl())) ?? [];
  return storage === undefined ? 0 : storage.used / storage.limit;
};

describe('docs/runbooks/disk-fills.md', () => {
  let signedWhileFull: string;

  it('payments are accepted, signed and settled on time while no events can be published', async () => {
    while ((await used()) < 0.9) await initiate(100);
    const signedBefore = await customer.pay();
    await customer.advance('PT40S');
    while ((await used()) < 1) await initiate(50);
    await initiate(50);
    expect((await stream()).last_seq).toBeLessThan(await committed());
    signedWhileFull = await customer.pay();
    expect(await customer.readStatus(signedBefore)).toBe('ACCP');
    // The clock cannot be advanced now, because its bucket is in the same storage, so the rest of the minute
    // passes in real time.
    await until(40, async () => (await customer.readStatus(signedBefore)) === 'ACSC');
    expect((await stream()).last_seq).toBeLessThan(await committed());
    expect(await customer.readStatus(signedWhileFull)).toBe('ACCP');
  }, 180_000);

  it('doctor reports the full storage, with a command that fixes it, and the waiting relay', async () => {
    const own = {
      SANDBOX: 'true',
      DATABASE_URL: sandbox.databaseUrl('xs2a_owner'),
      NATS_URL: sandbox.natsUrl(),
    };
    const { code, stdout } = await ended(launch(folder, commands[0] ?? [], own));
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /✗ jetstream storage +stores 6 MB of 6 MB \(10\d %\); without a size limit: .*PAYMENTS.*\n {2}Run: npm run xs2a -- jetstream make --payments-max-mb 4\n/,
    );
    expect(stdout).toMatch(/✗ relay payments +not published: \d+ events/);
  }, 60_000);

  it('the command on the page frees space, after which the events stored in the meantime are published and settled, and nothing is lost', async () => {
    await sandbox.services['settlement-worker'].stop();
    // Enough payments that the stream drops the events of the payments signed in the meantime before the
    // worker reads the stream again.
    await initiate(4500);
    const [, make = []] = commands;
    expect(make.slice(0, -1)).toEqual(['jetstream', 'make', '--payments-max-mb']);
    const made = await ended(launch(folder, [...make.slice(0, -1), String(bound)]));
    expect([made.code, made.stdout]).toEqual([0, '✓ stream PAYMENTS bounded to 4000000 bytes\n']);
    await until(30, async () => (await stream()).last_seq === (await committed()));
    const { first_seq: first } = await stream();
    const timeline = await ended(launch(folder, ['events', 'show', signedWhileFull, '--json']));
    const [{ events } = { events: [] }] = parseValues<{ events: { type: string; pos: number }[] }>(timeline);
    expect(events.find(({ type }) => type === 'signed')?.pos).toBeLessThan(first);

    await sandbox.services['settlement-worker'].start();
    await customer.advance('PT1M');
    expect(await customer.readStatus(signedWhileFull)).toBe('ACSC');
    const after = await ended(launch(folder, commands[2] ?? []));
    expect(after.stdout.match(/^[✗–!].*$/gm)).toBeNull();
    expect([commands[2], after.code]).toEqual([['doctor', '--deep'], 0]);
    expect(after.stdout).toMatch(
      /✓ stream payments +PAYMENTS holds \d+ events, none is missing; PostgreSQL has the events before position \d+/,
    );
  }, 120_000);

  it('events tail also shows events that the stream has dropped, and events verify compares the remaining ones with the copy', async () => {
    const { first_seq: first } = await stream();
    const tail = await ended(
      launch(folder, [
        'events',
        'tail',
        '--resource',
        'payments',
        '--from',
        String(first - 150),
        '--no-follow',
        '--json',
      ]),
    );
    const positions = parseValues<PublishedEvent>(tail).map(({ pos }) => pos);
    expect(positions.slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, index) => first - 150 + index));
    const verified = await ended(launch(folder, ['events', 'verify', '--resource', 'payments']));
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/published: \d+, the latest: as they were appended/),
    ]);
  }, 60_000);
});
