// Lane: long (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import {
  consentBody,
  createConsent,
  dayFrom,
  domesticPayment,
  initiate,
  type Initiated,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../pages/screens.js';
import { StaffBrowser } from './staff-browser.js';
import { openAs, shows } from './staff-page.js';

let world: World;
let browser: Browser;
let url: string;
let psu: FreshPsu;
let payment: Initiated;

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
  browser = await launchBrowser();
  psu = await world.person('1000.00');
  const tpp = world.tpp();
  const body = domesticPayment(psu.accounts[0]?.iban ?? '', '12.50', { creditorName: 'Canary Ltd' });
  payment = await initiate(tpp, await tpp.applicationToken(), body);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

const hiddenOf = (page: string): Record<string, string> => {
  const form = page.split('<form').find((part) => part.includes('action="/payments/reveal"')) ?? '';
  return Object.fromEntries(
    [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
};
/** The logs of all services, and the console's tables except bodies of calls in the sandbox. */
const everythingStored = async (): Promise<string> => {
  const owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'reveal', max: 1 });
  const logs = globSync('logs/*', { cwd: world.dataDir }).map((file) =>
    readFileSync(join(world.dataDir, file), 'utf8'),
  );
  expect(logs.length).toBeGreaterThan(5);
  const { rows } = await owner.query<{ all: string }>(
    `SELECT query_to_xml('SELECT * FROM console.' || relname, true, false, '')::text AS all
     FROM pg_class WHERE relnamespace = 'console'::regnamespace AND relkind IN ('r', 'p')
       AND relname <> 'call_content'`,
  );
  await owner.end();
  return [...logs, ...rows.map(({ all }) => all)].join('\n');
};

describe('a revealed field in the console', () => {
  it('is shown to an operator who gives a reason, in one page only, and the auditor sees who saw it', async () => {
    const path = `/payments/${payment.paymentId}`;
    const { page, context, look } = await openAs({ browser, url }, 'ivanova', path);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.getByText('Reveal a field').click();
    await look('console-reveal-form');
    await page.getByLabel('Field').selectOption('creditorName');
    await page.locator('form[action$="/reveal"]').getByLabel('Reason').fill('case 4711');
    const answered = page.waitForResponse(`${url}/payments/reveal`);
    await page.getByRole('button', { name: 'Reveal' }).click();
    expect((await answered).headers()['cache-control']).toBe('no-store');
    await shows(page, 'Canary Ltd');
    await shows(page, '19 of 20 reveals are left within the hour');
    await shows(page, `xs2a payments reveal ${payment.paymentId} --field creditorName --reason REASON`);
    await look('console-revealed');
    // The page asks for the form to be sent again when it is reloaded, and it shows nothing then.
    await page.reload();
    await shows(page, 'This request was already answered.');
    expect(await page.content()).not.toContain('Canary');
    await page.getByRole('link', { name: 'Back to the payment' }).click();
    await shows(page, 'Reveal a field');
    expect(await page.content()).not.toContain('Canary');
    expect(addresses.filter((address) => /canary/i.test(address))).toEqual([]);
    await context.close();

    const auditor = await openAs({ browser, url }, 'auditor', '/actions?act=reveal-field');
    await shows(auditor.page, `payment ${payment.paymentId}: creditorName`);
    await shows(auditor.page, 'case 4711');
    const outcome = await auditor.page.getByRole('columnheader', { name: 'outcome' }).boundingBox();
    expect((outcome?.x ?? Infinity) + (outcome?.width ?? 0)).toBeLessThanOrEqual(1280);
    await auditor.look('console-reveals');
    await auditor.context.close();
    expect(await everythingStored()).not.toContain('Canary');
  }, 60_000);

  it('is offered to no viewer and no approver', async () => {
    for (const name of ['viewer', 'petrov']) {
      const { page, context } = await openAs({ browser, url }, name, `/payments/${payment.paymentId}`);
      await shows(page, payment.paymentId);
      expect(await page.getByText('Reveal a field').count()).toBe(0);
      await context.close();
    }
  }, 60_000);

  it('of a consent is one of its accounts or its PSU', async () => {
    const access = consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 60));
    const answer = await createConsent(world.tpp(), psu.psuId, access);
    const { consentId } = bodyOf<{ consentId: string }>(answer, 201);
    const { page, context } = await openAs({ browser, url }, 'ivanova', `/consents/${consentId}`);
    expect(await page.content()).not.toContain(psu.psuId);
    await page.getByText('Reveal a field').click();
    await page.getByLabel('Field').selectOption('psuId');
    await page.locator('form[action$="/reveal"]').getByLabel('Reason').fill('case 4712');
    await page.getByRole('button', { name: 'Reveal' }).click();
    await shows(page, psu.psuId);
    await context.close();
  }, 60_000);

  it('is not needed to find a payment by its payee: a search in encrypted data is recorded without the text', async () => {
    const day = dayFrom(await sandboxNow(world), 0);
    const { page, context, look } = await openAs({ browser, url }, 'ivanova', '/payments');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.getByText('Search in encrypted data').click();
    await look('console-search-form');
    const form = page.locator('form[action="/payments/search"]');
    await form.getByLabel('TPP').fill('sandbox-tpp');
    await form.getByLabel('Day of the POST').fill(day);
    await form.getByLabel('payee').fill('canary');
    await form.getByLabel('Reason').fill('case 4715');
    await form.getByRole('button', { name: 'Search' }).click();
    await shows(page, payment.paymentId);
    await shows(page, /Searched (\d+) of \1, found\s+1\./);
    await look('console-search-found');
    expect(await page.content()).not.toMatch(/canary/i);
    expect(addresses.filter((address) => /canary/i.test(address))).toEqual([]);
    await page.goto(`${url}/actions?act=search-encrypted`);
    await shows(page, `payments of TPP sandbox-tpp on ${day} by payee`);
    await shows(page, /Searched (\d+) of \1, found\s+1\./);
    await context.close();
    const viewer = await openAs({ browser, url }, 'viewer', '/payments');
    expect(await viewer.page.getByText('Search in encrypted data').count()).toBe(0);
    await viewer.context.close();
    expect(await everythingStored()).not.toMatch(/canary/i);
  }, 60_000);

  it('is refused from the 21st within an hour on, with the time of the next', async () => {
    const staff = new StaffBrowser(url);
    const path = `/payments/${payment.paymentId}`;
    const form = hiddenOf(await (await staff.signIn('ivanova', path)).text());
    const reveal = async (changes: Record<string, string> = {}): Promise<Response> =>
      staff.send('/payments/reveal', {
        method: 'POST',
        body: new URLSearchParams({
          ...form,
          field: 'psuId',
          reason: 'case 4713',
          action: crypto.randomUUID(),
          ...changes,
        }),
      });
    for (const change of [
      { action: 'x' },
      { id: 'x' },
      { field: 'body' },
      { field: 'toString' },
      { field: 'accounts' },
      { entry: '0' },
      { entry: 'x' },
      { entry: '' },
      { reason: 'ab' },
      { reason: 'BG80 BNBG 9661 1020 3456 78' },
    ])
      expect([change, (await reveal(change as never)).status]).toEqual([change, 400]);
    const texts: string[] = [];
    for (let made = 0; made < 21; made += 1) texts.push(await (await reveal()).text());
    const isShown = texts.map((text) => text.includes(psu.psuId));
    expect(isShown[0]).toBe(true);
    // What the tests before this one revealed counts too.
    expect(isShown.indexOf(false)).toBeLessThanOrEqual(20);
    expect(isShown.lastIndexOf(true)).toBeLessThan(isShown.indexOf(false));
    const { page, context, look } = await openAs({ browser, url }, 'ivanova', path);
    await page.getByText('Reveal a field').click();
    await page.locator('form[action$="/reveal"]').getByLabel('Reason').fill('case 4714');
    await page.getByRole('button', { name: 'Reveal' }).click();
    await shows(page, 'You have revealed data 20 times within an hour. You can reveal again at ');
    await look('console-reveal-quota');
    await context.close();
  }, 60_000);
});
