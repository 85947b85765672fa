import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { World } from '@xs2a/test-support/world';
import type { Browser, Page } from 'playwright-core';
import { demoWorld } from './demo-world.js';
import { approveAtBank, keepGallery, launchBrowser, visitor, widths } from './screens.js';

let world: World;
let browser: Browser;
let demo: string;

beforeAll(async () => {
  ({ world, demo } = await demoWorld());
  browser = await launchBrowser();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
  keepGallery();
});

const openDrawer = async (page: Page): Promise<void> => page.click('#wire > summary');
const clicks = async (page: Page): Promise<string[]> => page.locator('#wire h2').allTextContents();
const pay = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  await page.goto(`${demo}/pay`);
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
  await page.keyboard.press('Enter');
};

describe('the drawer “What just went over the wire” of the demo TPP', () => {
  it('shows the calls of a connection without their secrets, at each width', async () => {
    const psu = await world.person('1000.00');
    const { context, page, look } = await visitor(browser, 'en', ...widths);
    await page.goto(`${demo}/accounts`);
    await page.fill('[name=psuId]', psu.psuId);
    await page.keyboard.press('Enter');
    await approveAtBank(page, psu);
    await page.waitForURL((url) => url.origin === demo);
    await openDrawer(page);
    const [opened = '', cameBack = '', connected = ''] = await clicks(page);
    expect(opened).toContain('You opened /accounts');
    expect(cameBack).toContain('You came back from the bank');
    expect(connected).toContain('You sent the form /connect');
    const list = page.locator('#wire li');
    const exchange = list.filter({ hasText: 'grant_type=authorization_code' });
    await exchange.locator('summary').click();
    const shown = await exchange.innerText();
    expect(shown).toContain('authorization: Basic •••');
    expect(shown).toContain('code=•••');
    expect(shown).toContain('code_verifier=•••');
    expect(shown).toContain('"access_token": "•••"');
    const source = await page.content();
    for (const [, value] of source.matchAll(
      /(?:_token|secret|verifier|code)(?:&quot;|")?(?::\s*|=)(?:&quot;|")?([^\s<&"]+)/gi,
    ))
      // The code of an error, such as that of an expired token, is no secret.
      expect(value).toMatch(/^(?:•••|[A-Z]+(?:_[A-Z]+)+)$/);
    for (const [, value] of source.matchAll(/authorization:<\/b>\s*([^<\n]+)/gi))
      expect(value).toMatch(/^(?:Basic|Bearer) •••$/);
    await look('demo-19-wire');
    await context.close();
  });

  it('escapes what the user entered and the bank refused, and works without JavaScript', async () => {
    const psu = await world.person('10.00');
    const context = await browser.newContext({ locale: 'en', javaScriptEnabled: false });
    const page = await context.newPage();
    const creditorName = '<img src=x onerror=alert(1)>';
    await pay(page, {
      debtorIban: psu.accounts[0]?.iban ?? '',
      amount: '1',
      creditorName,
      creditorIban: 'BG00',
    });
    await page.waitForSelector('[role=alert]');
    await openDrawer(page);
    const refused = page.locator('#wire li').filter({ hasText: '/v1/payments/' });
    await refused.locator('summary').click();
    expect(await refused.innerText()).toContain(`"creditorName": "${creditorName}"`);
    expect(await page.locator('img').count()).toBe(0);
    await context.close();
  });

  it('shows a notification to the visitor who paid, at once, and nothing to another visitor', async () => {
    const psu = await world.person('1000.00');
    const { context, page } = await visitor(browser, 'en', 360);
    const other = await visitor(browser, 'en', 360);
    await other.page.goto(demo);
    await pay(page, { debtorIban: psu.accounts[0]?.iban ?? '', amount: '12.50' });
    await approveAtBank(page, psu);
    await page.waitForURL(/\/payments\/[\w-]+$/);
    await openDrawer(page);
    await world.advance('PT1M');
    const push = page.locator('#wire li').filter({ hasText: '"transactionStatus": "ACSC"' });
    await push.filter({ hasText: 'push' }).first().waitFor();
    expect(await page.locator('#wire').getAttribute('open')).toBe('');
    await other.page.reload();
    await openDrawer(other.page);
    expect(await other.page.locator('#wire li').count()).toBe(0);
    expect(await other.page.textContent('#wire')).toContain('Nothing yet');
    await other.context.close();
    await context.close();
  });
});
