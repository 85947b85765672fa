// Lane: long, first (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { createPool } from '@xs2a/postgres/pool';
import { domesticPath, domesticPayment, initiate, until } from '@xs2a/test-support/requests';
import { registerTpp } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, visitor, type Visitor } from '../pages/screens.js';

let world: World;
let browser: Browser;
let url: string;
let owner: ReturnType<typeof createPool>;
const receivers: HttpReceiver[] = [];

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
  owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'push-page', max: 1 });
  browser = await launchBrowser();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await owner.end();
  await Promise.all(receivers.map(async (receiver) => receiver.stop()));
  await world.stop();
});

const openAs = async (staff: string, path: string): Promise<Visitor> => {
  const visit = await visitor(browser, 'en', 1280, 360);
  await visit.page.goto(`${url}${path}`);
  await visit.page.click(`button[value=${staff}]`);
  await visit.page.waitForURL((at) => at.origin === url);
  return visit;
};

/** Waits until the page, which refreshes itself, shows a text. Ten seconds is the promise of the console. */
const shows = async (page: Page, text: string | RegExp): Promise<void> => {
  await page.getByText(text).first().waitFor({ timeout: 10_000 });
};

/** A TPP that is notified of a payment, at a receiver that answers with this status, or never. */
const notified = async (
  answer: number | 'hang',
): Promise<{ readonly clientId: string; readonly paymentId: string; readonly receiver: HttpReceiver }> => {
  const receiver = await HttpReceiver.start();
  receivers.push(receiver);
  receiver.behaviour = () => answer;
  const credentials = await registerTpp(world.baseUrl, 'Notified', `${receiver.url}/callback`);
  const tpp = new TppClient(world.baseUrl, credentials);
  const token = await tpp.applicationToken();
  const psu = await world.person('100.00');
  const { paymentId, path } = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''), {
    'tpp-notification-uri': `${receiver.url}/CANARY-PATH?customer=CANARY-QUERY`,
  });
  expect(path.startsWith(domesticPath)).toBe(true);
  await tpp.call('DELETE', path, token);
  return { clientId: credentials.clientId, paymentId, receiver };
};

/** Waits until an attempt to notify a TPP has failed: from then on the ten seconds count. */
const failed = async (tppId: string): Promise<void> => {
  await until(
    async () =>
      (
        await owner.query<{ failures: number }>(
          'SELECT coalesce(sum(failures), 0)::int AS failures FROM notifications.notification WHERE tpp_id = $1',
          [tppId],
        )
      ).rows[0]?.failures ?? 0,
    (failures) => failures > 0,
  );
};

describe('the page Push of the console', () => {
  it.each([
    ['refuses', 500, 'HTTP 500'],
    ['hangs', 'hang', 'no answer in time'],
  ] as const)(
    'Now names a TPP whose receiver %s, and leads to the row with the reason',
    async (name, answer, reason) => {
      const { page, context, check } = await openAs('viewer', '/now');
      const { clientId, paymentId, receiver } = await notified(answer);
      await failed(clientId);
      await shows(
        page,
        new RegExp(`${clientId}\\)? does not accept notifications: 1 failing, 0 waiting, the oldest since`),
      );
      await shows(page, new RegExp(`\\S \\(${clientId}\\) does not accept`));
      const finding = page.locator('article', { hasText: clientId });
      expect(await finding.innerText()).toContain(`(${reason})`);
      expect(await page.locator('nav a[href="/push"] .count').count()).toBe(1);
      const pages = [await page.content()];
      await finding.getByRole('link', { name: 'Show the notifications' }).click();
      await page.waitForURL((at) => at.pathname === '/push' && at.searchParams.get('tpp') === clientId);
      const row = page.locator('section[aria-label=Failing] tbody tr');
      expect(await row.count()).toBe(1);
      expect(await row.innerText()).toContain(reason);
      expect(await row.innerText()).toContain(`${receiver.url}/…`);
      await check(`push-${name}`);
      pages.push(await page.content());
      await page.goto(`${url}/push`);
      await shows(page, clientId);
      await check(`push-all-${name}`);
      pages.push(await page.content());
      for (const text of pages) expect(text).not.toContain('CANARY');
      await page
        .locator('section[aria-label=Failing] tbody tr', { hasText: clientId })
        .getByText(paymentId)
        .click();
      await page.waitForURL(`${url}/payments/${paymentId}`);
      await shows(page, 'push fails');
      await shows(page, '0 of 1 notifications delivered');
      await context.close();
    },
    60_000,
  );

  it('shows dead letters, filters by resource, and keeps the filter while it refreshes itself', async () => {
    const { page, context, check } = await openAs('ivanova', '/push');
    const [one, other] = await Promise.all([notified(410), notified(410)]);
    await Promise.all([failed(one.clientId), failed(other.clientId)]);
    const kill = async (): Promise<number> =>
      (
        await owner.query(
          `UPDATE notifications.notification SET state = 'dead', next_try_at = NULL, ended_at = now()
           WHERE state = 'waiting' AND tpp_id = ANY($1)`,
          [[one.clientId, other.clientId]],
        )
      ).rowCount ?? 0;
    // An attempt that is in progress records its result afterwards, and the row then waits again.
    await until(kill, (count) => count === 0);
    await page.goto(`${url}/now`);
    await shows(page, `1 notification for ${one.clientId} is a dead letter`);
    await check('now-dead-letters');
    await page.goto(`${url}/push`);
    await page.getByLabel('payment, consent or basket').fill(one.paymentId);
    await page.keyboard.press('Enter');
    await page.waitForURL(/resource=/);
    const rows = page.locator('section[aria-label="Dead letters"] tbody tr');
    const shown = await page.getAttribute('#content', 'data-at');
    await page.locator(`#content:not([data-at="${shown}"])`).waitFor({ timeout: 10_000 });
    expect(await rows.count()).toBe(1);
    expect(await rows.innerText()).toContain(one.paymentId);
    expect(await page.locator('.command').innerText()).toContain(
      `xs2a notifications list --resource ${one.paymentId}`,
    );
    await page.goto(`${url}/push`);
    await rows.filter({ hasText: other.paymentId }).getByRole('link', { name: 'send again' }).click();
    await check('push-replay-one');
    await page.getByLabel('Reason').fill('case 4710: the receiver was repaired');
    await page.getByRole('button', { name: 'Send again' }).click();
    await shows(page, '1 notification will be sent again.');
    await failed(other.clientId);
    await page.goto(`${url}/push?tpp=${one.clientId}`);
    await page.getByRole('link', { name: `Send the dead letters of ${one.clientId} again` }).click();
    await shows(page, `Sends the dead letter of ${one.clientId} again`);
    await shows(page, `xs2a notifications replay --tpp ${one.clientId} --reason REASON`);
    await check('push-replay');
    await page.getByLabel('Reason').fill('case 4711: the receiver was repaired');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/);
    await until(
      async () => {
        await page.getByRole('link', { name: 'Load again' }).click();
        return page.locator('h2 .pill', { hasText: 'ended' }).count();
      },
      (count) => count === 1,
    );
    expect(await page.locator('section[aria-label=Items] tbody tr').innerText()).toMatch(/\bdone\b/);
    await check('push-job');
    expect(await page.locator('section[aria-label=Job] dl').innerText()).toMatch(/since \d{4}-\d\d-\d\d /);
    await page.getByRole('link', { name: 'Show the action' }).click();
    await shows(page, 'A job sends 1 notification again.');
    await failed(one.clientId);
    await context.close();
  }, 60_000);

  it('says that notifications does not answer, instead of showing that everything is delivered', async () => {
    const { page, context, check } = await openAs('petrov', '/push');
    await page.locator('section[aria-label="By TPP"]').waitFor({ timeout: 10_000 });
    const { pid } = world.sandbox.services.notifications;
    process.kill(pid, 'SIGSTOP');
    try {
      await shows(
        page,
        'notifications did not answer: it is unknown how many notifications wait, which notifications fail, which are dead letters',
      );
      expect(await page.content()).not.toMatch(/is delivered|No notification fails|no dead letter/);
      await check('push-no-answer');
      await page.goto(`${url}/now`);
      await shows(page, 'notifications does not answer');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await page.goto(`${url}/push`);
    await page.locator('section[aria-label="By TPP"]').waitFor({ timeout: 10_000 });
    await context.close();
  }, 60_000);
});
