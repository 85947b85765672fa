// Lane: long, first (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { World } from '@xs2a/test-support/world';
import { domesticPath, domesticPayment, initiate, until } from '@xs2a/test-support/requests';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../pages/screens.js';
import { openAs, shows } from './staff-page.js';

let world: World;
let browser: Browser;
let url: string;

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
  browser = await launchBrowser();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

describe('the console in a browser', () => {
  it('says on Now that all is well, names a service that hangs and what it makes fail, and is well again', async () => {
    const { page, context, look } = await openAs({ browser, url }, 'ivanova', '/now');
    await shows(page, 'all is well');
    await look('console-now');
    const psu = await world.person('1000.00');
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const { pid } = world.sandbox.services.accounts;
    process.kill(pid, 'SIGSTOP');
    try {
      await shows(page, 'accounts does not answer');
      const body = domesticPayment(psu.accounts[0]?.iban ?? '');
      const refused = await tpp.call('POST', domesticPath, token, { json: body });
      expect(refused.status).toBe(503);
      await shows(page, 'of initiatePayment failed (503)');
      await look('console-now-problem');
      await page.getByRole('link', { name: 'Show the calls' }).first().click();
      await page.waitForURL(/\/calls\?dependency=accounts$/);
      await shows(page, 'accounts did not answer');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await page.goto(`${url}/now`);
    await shows(page, 'all is well');
    await context.close();
  }, 90_000);

  it('groups the calls of a TPP that is refused, and leads from Now to one call', async () => {
    const { page, context, look } = await openAs({ browser, url }, 'viewer', '/now');
    const psu = await world.person('1000.00');
    const tpp = world.tpp('sandbox-tpp-2');
    const token = await tpp.applicationToken();
    const wrong = {
      ...domesticPayment(psu.accounts[0]?.iban ?? ''),
      instructedAmount: { currency: 'BGN', amount: '1,5' },
    };
    for (let call = 0; call < 40; call += 1)
      expect((await tpp.call('POST', domesticPath, token, { json: wrong })).status).toBe(400);
    await shows(
      page,
      /\S \(sandbox-tpp-2\) is refused in 40 of 40 calls: FORMAT_ERROR at instructedAmount\.amount/,
    );
    const nowLink = page.getByRole('navigation').getByRole('link', { name: 'Now' });
    expect((await nowLink.textContent())?.trim()).toMatch(/^Now\s+1 finding: attention$/);
    await page.getByRole('link', { name: 'Show the calls' }).first().click();
    await page.waitForURL(/\/calls\?tpp=sandbox-tpp-2&status=refused$/);
    await shows(page, 'instructedAmount.amount');
    const groups = page.getByRole('region', { name: 'Refused and failed' });
    await groups.locator('a[href="/tpps/sandbox-tpp-2"]', { hasNotText: 'sandbox-tpp-2' }).first().waitFor();
    await look('console-calls');
    await page.locator('a[href^="/calls/"]').first().click();
    await shows(page, 'request id');
    await look('console-call');
    await context.close();
  }, 60_000);

  it('shows on Now which share of sign-ins was right, and how many PSUs were locked', async () => {
    const { page, context } = await openAs({ browser, url }, 'viewer', '/now');
    await shows(page, '0 of 0 sign-ins and codes; 0 locks');
    const psu = await world.person();
    for (let failed = 0; failed < 5; failed += 1) {
      const psuBrowser = world.browser();
      const signIn = await psuBrowser.open(`${world.baseUrl}/sca/payments`);
      await psuBrowser.submit(signIn, { psuId: psu.psuId, password: 'wrong' }, 'approve');
    }
    await shows(page, '0 of 5 sign-ins and codes; 1 lock, 5 min');
    await context.close();
  }, 60_000);

  it('finds the calls of a payment, and shows the processes with their ends', async () => {
    const { page, context, look } = await openAs({ browser, url }, 'petrov', '/services');
    await shows(page, 'ready');
    await look('console-services');
    const psu = await world.person('1000.00');
    const tpp = world.tpp();
    const { paymentId } = await initiate(
      tpp,
      await tpp.applicationToken(),
      domesticPayment(psu.accounts[0]?.iban ?? ''),
    );
    await page.goto(`${url}/calls`);
    await page.getByLabel('payment, consent or basket').fill(paymentId);
    await page.keyboard.press('Enter');
    await page.waitForURL(/resource=/);
    // Gateways report their calls every five seconds.
    const rows = await until(
      async () => {
        await page.reload();
        return page.locator('section[aria-label=Calls] tbody tr').count();
      },
      (count) => count > 0,
    );
    expect(rows).toBe(1);
    await look('console-calls-list');
    await page.locator('section[aria-label=Calls] tbody a[href^="/tpps/"]').click();
    await page.waitForURL(/\/tpps\/sandbox-tpp$/);
    await shows(page, /^\d+ for account information/);
    await look('console-tpp');
    await context.close();
  }, 60_000);

  it('shows the database of every service that has one, and which service did not answer', async () => {
    const { page, context } = await openAs({ browser, url }, 'viewer', '/services');
    const row = (service: string) =>
      page.locator('section[aria-label=Databases] tbody tr').filter({ hasText: service });
    for (const service of [
      'auth',
      'consents',
      'accounts',
      'payments',
      'settlement',
      'notifications',
      'console',
    ])
      expect(await row(service).innerText()).toMatch(/migrated\s+all \d+\s+\d+ MB/);
    const { pid } = world.sandbox.services.notifications;
    process.kill(pid, 'SIGSTOP');
    try {
      await row('notifications').getByText('notifications did not answer').waitFor({ timeout: 10_000 });
      expect(await row('payments').innerText()).toMatch(/migrated/);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await row('notifications').getByText('migrated').waitFor({ timeout: 10_000 });
    await context.close();
  }, 60_000);

  it('says that the console does not answer, instead of showing an old state as the present one', async () => {
    const { page, context } = await openAs({ browser, url }, 'viewer', '/services');
    await shows(page, 'ready');
    const { pid } = world.sandbox.services.console;
    process.kill(pid, 'SIGSTOP');
    try {
      await shows(page, 'no answer from the console since');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await page.locator('#stale').waitFor({ state: 'hidden', timeout: 20_000 });
    await context.close();
  }, 60_000);

  it('stays on the page after an answer with an error, and asks again', async () => {
    const { page, context } = await openAs({ browser, url }, 'viewer', '/services');
    await shows(page, 'ready');
    await page.route(`${url}/services`, async (route) => route.fulfill({ status: 500, body: 'broken' }));
    await shows(page, 'no answer from the console since');
    expect(await page.getByRole('heading', { name: 'Services' }).count()).toBe(1);
    await page.unroute(`${url}/services`);
    await page.locator('#stale').waitFor({ state: 'hidden', timeout: 20_000 });
    await context.close();
  }, 60_000);

  it('signs nobody in again when a session ends, and says so', async () => {
    const { page, context } = await openAs({ browser, url }, 'viewer', '/services');
    await shows(page, 'ready');
    await context.clearCookies({ name: 'xs2a-console' });
    await shows(page, 'you are signed out');
    expect((await context.cookies(url)).filter(({ name }) => name === 'xs2a-console')).toEqual([]);
    await page.getByRole('link', { name: 'sign in again' }).click();
    await page.waitForURL((at) => at.origin === url);
    await shows(page, 'ready');
    await context.close();
  }, 60_000);
});
