// Lane: long (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dayFrom, sandboxNow } from '@xs2a/test-support/requests';
import type { World } from '@xs2a/test-support/world';
import type { Browser, Page } from 'playwright-core';
import { demoWorld } from './demo-world.js';
import { approveAtBank, launchBrowser, visitor } from './screens.js';

let world: World;
let browser: Browser;
let demo: string;

beforeAll(async () => {
  ({ world, demo } = await demoWorld('bg-euro'));
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

const readText = async (page: Page): Promise<string> => (await page.textContent('main')) ?? '';
const isHome = (url: URL): boolean => url.origin === demo;
/** Fills in a form of the demo TPP, signs at the bank, and returns the page that the demo TPP then shows. */
const initiate = async (form: string, fields: Readonly<Record<string, string>>): Promise<Page> => {
  const psu = await world.person('1000.00');
  const { page } = await visitor(browser, 'en', 360);
  await page.goto(`${demo}${form}`);
  await page.fill('[name=debtorIban]', psu.accounts[0]?.iban ?? '');
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
  await page.keyboard.press('Enter');
  await approveAtBank(page, psu);
  await page.waitForURL(isHome);
  return page;
};

describe('the demo TPP at a bank in euro (contract E1.4)', () => {
  it('pays by SEPA credit transfer, in euro', async () => {
    const page = await initiate('/pay', { amount: '12,50' });
    expect(await readText(page)).toContain('€12.50');
    await world.advance('PT1M');
    await page.reload();
    expect(await readText(page)).toContain('ACSC');
    await page.context().close();
  });

  it('pays a tax with the identifier of a company', async () => {
    const page = await initiate('/budget', {
      amount: '120',
      obligedPerson: 'Акме ЕООД',
      taxpayerId: '999999995',
    });
    expect(await readText(page)).toContain('€120.00');
    await world.advance('PT1M');
    await page.reload();
    expect(await readText(page)).toContain('ACSC');
    await page.context().close();
  });

  it('orders monthly payments in euro', async () => {
    const startDate = dayFrom(await sandboxNow(world), 3);
    const page = await initiate('/orders', { amount: '10.00', startDate });
    expect(await readText(page)).toContain('€10.00');
    await page.context().close();
  });

  it('asks whether an amount in euro is covered', async () => {
    const psu = await world.person('100.00');
    const { page } = await visitor(browser, 'en', 360);
    await page.goto(`${demo}/funds`);
    await page.locator('main button').click();
    await approveAtBank(page, psu);
    await page.waitForURL(isHome);
    expect(await readText(page)).toContain('Amount in EUR');
    await page.fill('[name=amount]', '100.01');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.answer');
    expect(await page.textContent('.answer')).toBe('No: €100.01 is not covered.');
    await page.context().close();
  });
});
