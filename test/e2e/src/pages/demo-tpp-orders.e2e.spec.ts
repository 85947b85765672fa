// Lane: long (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { awayFromMidnight, dayFrom, sandboxNow } from '@xs2a/test-support/requests';
import { demoWorld } from './demo-world.js';
import { approveAtBank, keepGallery, launchBrowser, visitor, widths } from './screens.js';
import type { World } from '@xs2a/test-support/world';

let world: World;
let browser: Browser;
let demo: string;

beforeAll(async () => {
  ({ world, demo } = await demoWorld());
  browser = await launchBrowser();
}, 90_000);
beforeEach(async () => awayFromMidnight(world));
afterAll(async () => {
  await browser.close();
  await world.stop();
  keepGallery();
});

const today = async (): Promise<string> => dayFrom(await sandboxNow(world), 0);
const fillOrder = async (page: Page, iban: string, first: string): Promise<void> => {
  await page.goto(`${demo}/orders`);
  await page.fill('[name=debtorIban]', iban);
  await page.fill('[name=amount]', '60.00');
  await page.fill('[name=startDate]', first);
  await page.selectOption('[name=frequency]', 'Daily');
  await page.selectOption('[name=weekend]', 'none');
};
/** Returns the order's occurrences as shown on the page, once there are that many. */
const occurrences = async (page: Page, count: number): Promise<string[]> => {
  await page.locator(`#occurrences li:nth-child(${count})`).waitFor();
  return (await page.locator('#occurrences li p:last-child').allTextContents()).map((text) => text.trim());
};

describe('a standing order at the demo TPP (spec 3.2, contract 9)', () => {
  it('is signed at the bank, runs, skips an occurrence without funds, and ends; at each width', async () => {
    const psu = await world.person('100.00');
    const { context, page, look } = await visitor(browser, 'en', ...widths);
    await fillOrder(page, psu.accounts[0]?.iban ?? '', await today());
    await page.check('[name=end][value=number]');
    await page.fill('[name=numberOfPayments]', '2');
    await look('demo-9-order');
    await page.keyboard.press('Enter');
    await approveAtBank(page, psu);
    await page.waitForURL(/\/orders\/[\w-]+$/);
    expect(await occurrences(page, 1)).toEqual(['next']);
    await world.advance('PT1M');
    await page.locator('#state', { hasText: 'ACSP' }).waitFor();
    expect(await occurrences(page, 2)).toEqual(['carried out', 'next']);
    await look('demo-10-order-running');
    await world.advance('P1D');
    await page.locator('#state', { hasText: 'ACSC' }).waitFor();
    expect(await page.textContent('#state')).toContain('ended');
    const [first, second] = await occurrences(page, 2);
    expect([first, second]).toEqual(['carried out', expect.stringContaining('skipped')]);
    expect(await page.locator('#actions button').count()).toBe(0);
    await look('demo-11-order-ended');
    await context.close();
  });

  it('can be cancelled with its button; no payment is made afterwards', async () => {
    const psu = await world.person('100.00');
    const { context, page } = await visitor(browser, 'en', 360);
    await fillOrder(page, psu.accounts[0]?.iban ?? '', dayFrom(await sandboxNow(world), 3));
    await page.keyboard.press('Enter');
    await approveAtBank(page, psu);
    await page.waitForURL(/\/orders\/[\w-]+$/);
    await page.click('#actions button');
    await page.locator('#state', { hasText: 'CANC' }).waitFor();
    expect(await page.textContent('#state')).toContain('cancelled');
    expect(await page.getAttribute('.notice', 'role')).toBe('status');
    await context.close();
  });

  it('shows errors from the bank next to the form, each with a link to its field', async () => {
    const psu = await world.person('100.00');
    const { context, page, check } = await visitor(browser, 'en', 360);
    await fillOrder(page, psu.accounts[0]?.iban ?? '', '2001-01-01');
    await page.fill('[name=dayOfExecution]', '32');
    await page.check('[name=months][value="2"]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice li');
    const links = await page
      .locator('.notice li a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['#dayOfExecution', '#months']);
    expect(await page.inputValue('[name=startDate]')).toBe('2001-01-01');
    expect(await page.isChecked('[name=months][value="2"]')).toBe(true);
    await check('order refused');
    await context.close();
  });
});
