// Lane: nightly (a bank is restored from a backup).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { makeLayout } from '@xs2a/sandbox/layout';
import { root } from '@xs2a/runtime/release';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, launch } from '../testing/command-process.js';
import { Customer } from '../testing/customer.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-restore-'));
const dataDir = join(folder, 'sandbox');
const layout = makeLayout(dataDir);
const toBackupFolder = (name: 'postgres' | 'nats'): string => join(folder, `${name}-backup`);
/** Copies a folder with its owners and permissions, because PostgreSQL starts only with files that it owns. */
const copy = (from: string, to: string): void => void execFileSync('cp', ['-a', from, to]);
const backUp = (name: 'postgres' | 'nats'): void => copy(layout[name], toBackupFolder(name));
const restore = (name: 'postgres' | 'nats'): void => {
  rmSync(layout[name], { recursive: true });
  copy(toBackupFolder(name), layout[name]);
};

/** The operator commands in the blocks of the page, in order. */
const commands = [
  ...readFileSync(join(root, 'docs/runbooks/database-went-back.md'), 'utf8').matchAll(
    /^\s*npm run xs2a -- (.*)$/gm,
  ),
].map(([, command = '']) => command.split(' '));
const [doctor = [], waiting = [], republish = [], ...others] = commands;
const deep = [...doctor, '--deep'];

let sandbox: Sandbox | undefined;
const up = async (): Promise<Sandbox> => {
  sandbox = await startSandbox({ dataDir, port: 0, sourceMaps: false });
  return sandbox;
};
const down = async (): Promise<void> => {
  await sandbox?.stop();
  sandbox = undefined;
};
const settled = async (customer: Customer): Promise<string> => {
  const paymentId = await customer.pay();
  await customer.advance('PT1M');
  expect(await customer.readStatus(paymentId)).toBe('ACSC');
  return paymentId;
};
const registerTpp = async ({ baseUrl }: Sandbox): Promise<{ clientId: string; clientSecret: string }> =>
  parseJson(
    await send('POST', `${baseUrl}/sandbox/tpps`, {
      json: { name: 'Later', redirectUris: ['https://later.example/cb'], roles: ['PSP_PI'] },
    }),
  );
beforeAll(async () => {
  const { baseUrl } = await up();
  await settled(await Customer.of(baseUrl));
  await down();
  backUp('postgres');
  backUp('nats');
}, 120_000);
afterAll(async () => {
  await down();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

describe('docs/runbooks/database-went-back.md', () => {
  it('NATS recovers by itself after being restored to an earlier state', async () => {
    const before = await up();
    const customer = await Customer.of(before.baseUrl);
    const ids = [await settled(customer), await settled(customer)];
    await down();
    restore('nats');
    const { baseUrl } = await up();
    expect(await ended(launch(dataDir, ['doctor', '--deep']))).toMatchObject({ code: 0 });
    const again = await Customer.of(baseUrl);
    for (const id of ids) expect(await again.readStatus(id)).toBe('ACSC');
    await settled(again);
    await down();
  }, 180_000);

  it('a database that was restored to an earlier state continues to publish, doctor reports the losses, and every check and invariant holds', async () => {
    expect([doctor, republish, others]).toEqual([['doctor'], ['events', 'republish', '--yes'], []]);
    const before = await up();
    const later = await settled(await Customer.of(before.baseUrl));
    const tpp = await registerTpp(before);
    await down();
    restore('postgres');

    const { baseUrl } = await up();
    const customer = await Customer.of(baseUrl);
    const examined = await ended(launch(dataDir, deep));
    expect(examined).toMatchObject({ code: 0 });
    const [, warned = '', tail = ''] =
      /^! lost events +(.*)\n {2}Run: npm run xs2a -- (.*)$/m.exec(examined.stdout) ?? [];
    expect(warned).toMatch(/payments, positions \d+ to \d+ were lost .* \d+ settled/);
    const lost = await ended(launch(dataDir, tail.split(' ')));
    expect(lost.stdout).toMatch(new RegExp(`payments.settled +${later} .*\\(lost by the database\\)`));
    expect(waiting).toEqual(['events', 'lost', 'list', '--waiting']);
    expect((await ended(launch(dataDir, waiting))).stdout).toBe('No lost events.\n');
    const listed = await ended(launch(dataDir, waiting.slice(0, -1)));
    expect(listed.stdout).toMatch(new RegExp(`${later} +payments.settled .* noted`));

    expect(await customer.readStatus(later)).toBeUndefined();
    const { status } = await send('POST', `${baseUrl}/oauth2/token`, {
      form: new URLSearchParams({ grant_type: 'client_credentials', scope: 'PSP_PI' }),
      headers: {
        authorization: `Basic ${Buffer.from(`${tpp.clientId}:${tpp.clientSecret}`).toString('base64')}`,
      },
    });
    expect(status).toBe(401);
    await settled(customer);
    expect(await ended(launch(dataDir, deep))).toMatchObject({ code: 0 });
  }, 180_000);

  it('events republish publishes all events of the database, but only after confirmation and while the services are stopped', async () => {
    const running = sandbox ?? (await up());
    const asked = await ended(launch(dataDir, republish.slice(0, -1)));
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('would be lost')]);
    const refused = await ended(launch(dataDir, republish));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('stop the services first')]);
    const { payments, consents } = running.services;
    await Promise.all([payments.stop(), consents.stop()]);
    const done = await ended(launch(dataDir, republish));
    expect([done.code, done.stdout]).toEqual([
      0,
      expect.stringMatching(/PAYMENTS \(\d+ events\) was removed and published again with all \d+ events/),
    ]);
    await Promise.all([payments.start(), consents.start()]);
    await settled(await Customer.of(running.baseUrl));
    expect(await ended(launch(dataDir, deep))).toMatchObject({ code: 0 });
  }, 180_000);
});
