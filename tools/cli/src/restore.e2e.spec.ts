import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { natsConfiguration } from '@xs2a/local-servers/nats-permissions';
import { startNats } from '@xs2a/local-servers/nats-server';
import { jsonOf, send } from '@xs2a/sandbox/http';
import { layoutOf, root, secretIn } from '@xs2a/sandbox/layout';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, launch, type Ran } from './testing/command-process.js';
import { Customer } from './testing/customer.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-restore-'));
const dataDir = join(folder, 'sandbox');
const layout = layoutOf(dataDir);
const copyOf = (name: 'postgres' | 'nats'): string => join(folder, `${name}-backup`);
/** With owners and rights: PostgreSQL starts on nobody else's files. */
const copy = (from: string, to: string): void => void execFileSync('cp', ['-a', from, to]);
const backUp = (name: 'postgres' | 'nats'): void => copy(layout[name], copyOf(name));
const restore = (name: 'postgres' | 'nats'): void => {
  rmSync(layout[name], { recursive: true });
  copy(copyOf(name), layout[name]);
};

/** What the page tells the operator to run, in its order. */
const commands = [
  ...(
    /## Restore from a backup\n(.*?)\n## /s.exec(
      readFileSync(join(root, 'docs/how-to/operate.md'), 'utf8'),
    )?.[1] ?? ''
  ).matchAll(/^\s*npm run xs2a -- (.*)$/gm),
].map(([, command = '']) => command.split(' '));

let sandbox: Sandbox | undefined;
const up = async (): Promise<Sandbox> => {
  sandbox = await startSandbox({ dataDir, port: 0 });
  return sandbox;
};
const down = async (): Promise<void> => {
  await sandbox?.stop();
  sandbox = undefined;
};
const settled = async (customer: Customer): Promise<string> => {
  const paymentId = await customer.pay();
  await customer.advance('PT1M');
  expect(await customer.statusOf(paymentId)).toBe('ACSC');
  return paymentId;
};
const registerTpp = async ({ baseUrl }: Sandbox): Promise<{ clientId: string; clientSecret: string }> =>
  jsonOf(
    await send('POST', `${baseUrl}/sandbox/tpps`, {
      json: { name: 'Later', redirectUris: ['https://later.example/cb'], roles: ['PSP_PI'] },
    }),
  );
/** The command with no sandbox that runs: only NATS, with the files that the sandbox left. */
const whileServicesAreStopped = async (args: readonly string[]): Promise<Ran> => {
  const passwordOf = (user: string): string => secretIn(layout.secret(`nats-${user}`));
  const nats = await startNats({
    dataDir: layout.nats,
    accounts: natsConfiguration((user) => JSON.stringify(passwordOf(user))),
  });
  try {
    const url = nats.url.replace('nats://', `nats://operator:${passwordOf('operator')}@`);
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/xs2a', NATS_URL: url };
    return await ended(launch(dataDir, args, env));
  } finally {
    await nats.stop();
  }
};

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

describe('docs/how-to/operate.md, Restore from a backup', () => {
  it('NATS that went back to an earlier moment heals by itself', async () => {
    const before = await up();
    const customer = await Customer.of(before.baseUrl);
    const ids = [await settled(customer), await settled(customer)];
    await down();
    restore('nats');
    const { baseUrl } = await up();
    expect(await ended(launch(dataDir, ['doctor', '--deep']))).toMatchObject({ code: 0 });
    const again = await Customer.of(baseUrl);
    for (const id of ids) expect(await again.statusOf(id)).toBe('ACSC');
    await settled(again);
    await down();
  }, 180_000);

  it('a database that went back: the commands lead to a system in which every check and invariant holds', async () => {
    const [republish = [], doctor = [], ...more] = commands;
    expect([republish[0], doctor[0], more]).toEqual(['events', 'doctor', []]);
    const before = await up();
    const later = await settled(await Customer.of(before.baseUrl));
    const tpp = await registerTpp(before);
    await down();
    restore('postgres');

    const asked = await whileServicesAreStopped(republish.filter((word) => word !== '--yes'));
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('is lost')]);
    const done = await whileServicesAreStopped(republish);
    expect([done.code, done.stdout]).toEqual([
      0,
      expect.stringMatching(/PAYMENTS \(\d+ events\) is removed/),
    ]);

    const { baseUrl } = await up();
    const customer = await Customer.of(baseUrl);
    expect(await ended(launch(dataDir, doctor))).toMatchObject({ code: 0 });
    expect(await customer.statusOf(later)).toBeUndefined();
    const { status } = await send('POST', `${baseUrl}/oauth2/token`, {
      form: new URLSearchParams({ grant_type: 'client_credentials', scope: 'PSP_PI' }),
      headers: {
        authorization: `Basic ${Buffer.from(`${tpp.clientId}:${tpp.clientSecret}`).toString('base64')}`,
      },
    });
    expect(status).toBe(401);
    await settled(customer);
    expect(await ended(launch(dataDir, doctor))).toMatchObject({ code: 0 });
  }, 180_000);
});
