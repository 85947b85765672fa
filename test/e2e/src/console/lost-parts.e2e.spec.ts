// Lane: nightly (servers are stopped in turn).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startExampleBank, exampleSample, type ExampleBank } from '@xs2a/core-banking/testing/example-bank';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { domesticPath, domesticPayment, initiate, until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser, type Visitor } from '../pages/screens.js';
import { openAs, shows } from './staff-page.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-lost-parts-'));
const accounts = `accounts { BANK { users: [ { user: xs2a, password: secret }, { user: bank, password: secret } ] } }`;
let bankNats: NatsServer;
let bank: ExampleBank;
let world: World;
let browser: Browser;
let visit: Visitor;
let url: string;

const asUser = (user: string): string => bankNats.url.replace('nats://', `nats://${user}:secret@`);

beforeAll(async () => {
  bankNats = await startNats({ dataDir: join(folder, 'nats'), accounts });
  bank = await startExampleBank(asUser('bank'));
  world = await World.around({ console: {}, coreBank: asUser('xs2a') });
  url = world.sandbox.consoleUrl ?? '';
  browser = await launchBrowser();
  visit = await openAs({ browser, url }, 'ivanova', '/now');
  await shows(visit.page, 'all is well');
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
  await bank.stop();
  await bankNats.stop();
  rmSync(folder, { recursive: true, force: true });
});

const problems = (hasText: string) => visit.page.locator('article.is-problem', { hasText });

describe('Now, while a part that is not a service is lost', () => {
  it('names the core bank within ten seconds without any call of a TPP, and says when it answers again', async () => {
    const { page, check } = visit;
    bank.kill('SIGSTOP');
    try {
      await problems('core-bank does not answer').waitFor({ timeout: 10_000 });
      await check('now-core-bank');
      const tpp = world.tpp();
      const body = domesticPayment(exampleSample.iban);
      const { status } = await tpp.call('POST', domesticPath, await tpp.applicationToken(), { json: body });
      expect(status).toBe(503);
      await shows(page, 'of initiatePayment failed (503)');
      await page.locator('article', { hasText: 'core-bank' }).getByRole('link').first().click();
      await page.waitForURL(/\/calls\?dependency=core-bank$/);
      await shows(page, 'core-bank did not answer');
    } finally {
      bank.kill('SIGCONT');
    }
    await page.goto(`${url}/now`);
    await problems('core-bank').waitFor({ state: 'detached', timeout: 20_000 });
  }, 90_000);

  it('names a settlement worker that was killed, and where it ended', async () => {
    const { page, check } = visit;
    const { pid } = world.sandbox.services['settlement-worker'];
    process.kill(pid, 'SIGKILL');
    await shows(page, 'settlement-worker was started again: the process before was killed or crashed');
    await check('now-killed');
    await page.locator('article', { hasText: 'settlement-worker' }).getByRole('link').first().click();
    await page.waitForURL(`${url}/services`);
    const ended = page.locator('section[aria-label=Starts] tr', { hasText: String(pid) });
    expect(await ended.innerText()).toMatch(/it was killed \(SIGKILL/);
  }, 60_000);

  it('names NATS, and none of the services, while it is down, and ends when it is back without its files', async () => {
    const { page, check } = visit;
    await page.goto(`${url}/now`);
    await world.sandbox.nats.stop();
    rmSync(join(world.dataDir, 'nats', 'jetstream'), { recursive: true });
    await problems('nats does not answer').waitFor({ timeout: 10_000 });
    expect(await page.locator('article.is-problem').count()).toBe(1);
    await check('now-nats');
    await world.sandbox.nats.start();
    await problems('').first().waitFor({ state: 'detached', timeout: 30_000 });
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const { paymentId } = await initiate(tpp, token, domesticPayment(exampleSample.iban));
    await page.goto(`${url}/payments/${paymentId}`);
    await shows(page, 'initiated');
    await page.goto(`${url}/live`);
    const rows = page.locator('#live-rows tr', { hasText: paymentId });
    await until(
      async () => rows.count(),
      (count) => count > 0,
    );
  }, 90_000);
});
