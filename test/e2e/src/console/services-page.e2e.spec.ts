// Lane: long (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeyReport } from '@xs2a/contracts/console/key.contract';
import type { EventStreamReport } from '@xs2a/contracts/console/event-stream.contract';
import { connectAs } from '@xs2a/nats/connection';
import { parseStreamCredentials } from '@xs2a/nats/nats-url';
import { makeLayout, readJson, root, writePrivately } from '@xs2a/sandbox/layout';
import { domesticPayment, initiate } from '@xs2a/test-support/requests';
import { createPool } from '@xs2a/postgres/pool';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { World } from '@xs2a/test-support/world';
import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Locator } from 'playwright-core';
import { launchBrowser, type Visitor } from '../pages/screens.js';
import { openAs, shows } from './staff-page.js';

let world: World;
let browser: Browser;
let visit: Visitor;
let url: string;
let nats: Awaited<ReturnType<typeof connectAs>>;

/** Runs the command `xs2a` as the operator, and returns its stdout and stderr. Rejects if the exit code is not 0. */
const run = async (...args: readonly string[]) => {
  const env = { PATH: process.env.PATH, XS2A_DATA_DIR: world.dataDir };
  const command = [join(root, 'tools/sandbox/dist/xs2a.js'), ...args];
  return promisify(execFile)(process.execPath, command, { env });
};
const xs2a = async (...args: readonly string[]): Promise<string> => (await run(...args)).stdout;
const listedKeys = async (): Promise<(KeyReport & { readonly service: string })[]> =>
  (await xs2a('keys', '--json'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as KeyReport & { readonly service: string });
/** Returns the `kid` of each signing key in the published key set, in the order of the set. */
const publishedKeys = async (): Promise<[string, ...string[]]> => {
  const answer = await send('GET', `${world.baseUrl}/oauth2/jwks`);
  const [first = '', ...more] = parseJson<{ keys: { kid: string }[] }>(answer).keys.map(({ kid }) => kid);
  return [first, ...more];
};
/** Locates the rows that contain a text in a section of the page Services. */
const row = (section: string, hasText: string): Locator =>
  visit.page.locator(`section[aria-label="${section}"] tbody tr`, { hasText });
/** Waits until a row with `hasText` also contains `text`. The page Services refreshes itself every five seconds. */
const showsIn = async (section: string, hasText: string, text: string | RegExp): Promise<void> =>
  row(section, hasText).getByText(text).first().waitFor({ timeout: 15_000 });

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
  nats = await connectAs(parseStreamCredentials(world.sandbox.natsUrl('operator')), { name: 'test' });
  browser = await launchBrowser();
  visit = await openAs({ browser, url }, 'viewer', '/services');
  const psu = await world.person('1000.00');
  const tpp = world.tpp();
  await initiate(tpp, await tpp.applicationToken(), domesticPayment(psu.accounts[0]?.iban ?? ''));
}, 90_000);
afterAll(async () => {
  await browser.close();
  await nats.close();
  await world.stop();
});

describe('the page Services of the console', () => {
  it('shows the same positions of the JetStream streams as xs2a jetstream list', async () => {
    await showsIn('Streams', 'PAYMENTS', 'published');
    await showsIn('Streams', 'CONSENTS', 'published');
    await showsIn('Streams', 'settlement', 'reads');
    await visit.check('services-streams');
    const [payments] = (await xs2a('jetstream', 'list', '--json'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Omit<EventStreamReport, 'consumers'>);
    const { head, state } = payments ?? {};
    expect(head).toBeGreaterThan(0);
    expect(state).toMatchObject({ lastSequence: head, published: head, missing: 0 });
    expect(await row('Streams', 'PAYMENTS').first().innerText()).toMatch(
      new RegExp(`\\b${head}\\s+${head}\\s+${head}\\b`),
    );
    expect(await xs2a('jetstream', 'list')).toMatch(/^PAYMENTS +good /m);
    expect(await xs2a('jetstream', 'list')).not.toContain('settlement');
  }, 60_000);

  it('shows the position up to which xs2a events verify compared the JetStream copy with the log', async () => {
    await showsIn('Streams', 'PAYMENTS', 'not verified');
    await xs2a('events', 'verify', '--resource', 'payments');
    await showsIn('Streams', 'PAYMENTS', /^\s*\d+, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\s*$/);
  }, 60_000);

  it('shows the previous verification if xs2a events verify prints a result that it cannot store', async () => {
    const owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'verify', max: 1 });
    await owner.query(
      'ALTER TABLE payments.copy_verification ADD CONSTRAINT refused CHECK (up_to < 0) NOT VALID',
    );
    try {
      const { stdout, stderr } = await run('events', 'verify');
      expect(stdout).toMatch(/^✓ payments: [^]*^✓ consents: /m);
      expect(stderr).toMatch(
        /^The result for payments was not stored, so the console does not show it: .*refused/m,
      );
    } finally {
      await owner.query('ALTER TABLE payments.copy_verification DROP CONSTRAINT refused');
      await owner.end();
    }
    await showsIn('Streams', 'PAYMENTS', /^\s*\d+, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\s*$/);
  }, 60_000);

  it('shows each read model, and the time of its rebuild after xs2a projections rebuild', async () => {
    for (const name of ['payment_volume_daily', 'payment_view', 'basket_view', 'consent_view'])
      await showsIn('Read models', name, `xs2a projections rebuild ${name}`);
    for (const name of ['payment_volume_daily', 'consent_view']) {
      expect(await row('Read models', name).locator('time').count()).toBe(0);
      await xs2a('projections', 'rebuild', name);
      await row('Read models', name).locator('time').waitFor({ timeout: 15_000 });
    }
  }, 60_000);

  it('shows a deleted consumer as missing, and the page Now shows the command that recreates it', async () => {
    const { page } = visit;
    await nats.request('$JS.API.CONSUMER.DELETE.PAYMENTS.settlement');
    await showsIn('Streams', 'settlement', 'missing');
    await visit.check('services-missing-consumer');
    await page.goto(`${url}/now`);
    await shows(page, 'JetStream has no consumer settlement of the stream PAYMENTS');
    await page.locator('article', { hasText: 'no consumer' }).getByText('xs2a jetstream make').waitFor();
    await xs2a('jetstream', 'make');
    await page.locator('article', { hasText: 'no consumer' }).waitFor({ state: 'detached', timeout: 15_000 });
  }, 60_000);

  it('shows a deleted stream as lost, like the page Now, and as published after xs2a jetstream make', async () => {
    const { page } = visit;
    await nats.request('$JS.API.STREAM.DELETE.CONSENTS');
    await shows(page, 'JetStream has lost the stream CONSENTS');
    await visit.check('now-lost-stream');
    await page.getByRole('link', { name: 'Show the streams' }).click();
    await showsIn('Streams', 'CONSENTS', 'lost');
    await xs2a('jetstream', 'make');
    await showsIn('Streams', 'CONSENTS', 'published');
  }, 60_000);

  it('shows that a sandbox has no standby database server', async () => {
    await visit.page.goto(`${url}/services`);
    await showsIn('Standbys', 'None', 'None is connected, and none is configured.');
  });

  it('shows the published signing keys like xs2a keys, and the old and the new signing key during a rotation', async () => {
    const [old] = await publishedKeys();
    await showsIn('Keys', old, 'signs');
    const { keys = [] } = readJson<{ keys: object[] }>(makeLayout(world.dataDir).keys) ?? {};
    const next = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    writePrivately(
      makeLayout(world.dataDir).keys,
      JSON.stringify({ keys: [{ ...next, kid: 'next-kid', iat: 1_790_000_000 }, ...keys] }),
    );
    await world.sandbox.services.auth.restart();
    await showsIn('Keys', 'next-kid', 'signs');
    await showsIn('Keys', 'next-kid', '2026-09-21 14:13:20.000');
    await showsIn('Keys', old, 'verifies');
    await visit.check('services-keys');
    const listed = await listedKeys();
    expect(listed.filter(({ algorithm }) => algorithm === 'ES256').map(({ id }) => id)).toEqual(
      await publishedKeys(),
    );
    const members = new Set(listed.flatMap((key) => Object.keys(key)));
    expect([...members].toSorted()).toEqual(['algorithm', 'id', 'madeAt', 'service', 'state', 'use']);
    expect(await xs2a('keys')).not.toContain(next.d);
    expect(await visit.page.content()).not.toContain(next.d);
  }, 60_000);

  it('shows the old and the new master key of payments during a rotation', async () => {
    const file = makeLayout(world.dataDir).secret('master-keys-payments');
    const first = readFileSync(file, 'utf8').trim();
    await showsIn('Keys', 'sandbox', 'encrypts');
    writePrivately(file, `added:${randomBytes(32).toString('base64')}\n${first}\n`);
    await world.sandbox.services.payments.restart();
    await showsIn('Keys', 'added', 'encrypts');
    await showsIn('Keys', 'payments', 'decrypts');
    expect(await xs2a('privacy', 'rotate', '--resource', 'payments')).toMatch(
      /^✓ payments: \d+ keys? rotated; now \d+ keys? under added$/m,
    );
    await showsIn('Keys', 'payments', 'listed');
    expect(await listedKeys()).toContainEqual({
      service: 'payments',
      id: 'sandbox',
      use: 'personal data',
      algorithm: 'A256KW',
      state: 'listed',
    });
  }, 60_000);

  it('names a stopped service in the tables of streams, read models and keys', async () => {
    const { pid } = world.sandbox.services.consents;
    process.kill(pid, 'SIGSTOP');
    try {
      await showsIn('Streams', 'CONSENTS', 'consents did not answer');
      await showsIn('Read models', 'consents', 'consents did not answer');
      await showsIn('Keys', 'consents', 'consents did not answer');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }, 60_000);
});
