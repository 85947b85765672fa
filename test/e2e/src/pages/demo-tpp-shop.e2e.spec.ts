// Lane: long (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awayFromMidnight, dayFrom, sandboxNow } from '@xs2a/test-support/requests';
import type { World } from '@xs2a/test-support/world';
import type { Browser, Page } from 'playwright-core';
import { demoWorld } from './demo-world.js';
import { approveAtBank, keepGallery, launchBrowser, press, signIn, visitor, widths } from './screens.js';

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

const add = async (page: Page, good: string): Promise<void> => {
  await page.goto(`${demo}/shop`);
  await page.click(`[aria-label="Add to cart: ${good}"]`);
  await page.waitForURL(`${demo}/shop/cart`);
};
const checkOut = async (page: Page, iban: string): Promise<void> => {
  await page.fill('[name=debtorIban]', iban);
  await page.click('text=by bank');
};
const headline = async (page: Page): Promise<string> => (await page.textContent('#state .headline')) ?? '';

describe('the shop of the demo TPP', () => {
  it('is paid by bank, and its order follows the payment; at each width', async () => {
    const psu = await world.person('1000.00');
    const { context, page, look } = await visitor(browser, 'en', ...widths);
    await page.goto(demo);
    await page.click('a.button[href="/shop"]');
    await look('demo-20-shop');
    await add(page, 'Espresso beans');
    await add(page, 'Two cups');
    await page.click('[aria-label="One more: Two cups"]');
    await page.click('[aria-label="One more: Espresso beans"]');
    await page.click('[aria-label="One less: Espresso beans"]');
    await page.waitForSelector('text=Cart (3)');
    expect(await page.textContent('.total')).toMatch(/BGN\s49\.90/);
    await look('demo-21-cart');
    await checkOut(page, psu.accounts[0]?.iban ?? '');
    await approveAtBank(page, psu);
    await page.waitForURL(/\/purchases\/[\w-]+$/);
    expect(await headline(page)).toContain('Payment signed');
    expect(await page.textContent('nav')).toContain('Cart (0)');
    await look('demo-22-order-signed');
    await page.click('text=Execute it now');
    await page.locator('#state .headline.paid').waitFor();
    expect(await page.textContent('#state')).toContain('ACSC');
    await look('demo-23-order-paid');
    await context.close();
  });

  it('shows a payment that the bank reports as paid, without a reload', async () => {
    const psu = await world.person('1000.00');
    const { context, page } = await visitor(browser, 'en', 360);
    await add(page, 'Cezve');
    await checkOut(page, psu.accounts[0]?.iban ?? '');
    await approveAtBank(page, psu);
    await page.locator('#state .headline.signed').waitFor();
    await page.evaluate('globalThis.isSamePage = true');
    await world.advance('PT1M');
    await page.locator('#state .headline.paid').waitFor();
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    await context.close();
  });

  it('shows a payment refused at the bank as unpaid, and puts its goods back in the cart', async () => {
    const psu = await world.person('1000.00');
    const { context, page, look } = await visitor(browser, 'en', 360);
    await add(page, 'Filter beans');
    await checkOut(page, psu.accounts[0]?.iban ?? '');
    await page.waitForSelector('[name=password]');
    await signIn(page, psu);
    await page.waitForSelector('[name=step][value=review]', { state: 'attached' });
    await press(page, 'refuse');
    await page.waitForURL(/\/purchases\/[\w-]+$/);
    expect(await headline(page)).toContain('Not paid');
    expect(await page.textContent('#state')).toContain('without signing');
    await look('demo-24-order-unpaid');
    await page.click('text=Put it back in the cart');
    await page.waitForURL(`${demo}/shop/cart`);
    expect(await page.textContent('.cart')).toContain('Filter beans');
    await context.close();
  });

  it('shows a payment for which there is not enough money as unpaid', async () => {
    const psu = await world.person('10.00');
    const { context, page } = await visitor(browser, 'en', 360);
    await add(page, 'Espresso machine');
    await checkOut(page, psu.accounts[0]?.iban ?? '');
    await approveAtBank(page, psu);
    await world.advance('PT1M');
    await page.locator('#state .headline.unpaid').waitFor();
    expect(await page.textContent('#state')).toContain('not enough money');
    await context.close();
  });

  it('keeps the cart if the bank refuses the payment at once, and shows why', async () => {
    const { context, page, check } = await visitor(browser, 'en', 360);
    await add(page, 'Cezve');
    await checkOut(page, 'BG00XSBK92001000000000');
    await page.waitForSelector('[role=alert]');
    expect(await page.getAttribute('[role=alert] a', 'href')).toBe('#debtorIban');
    expect(await page.textContent('.cart')).toContain('Cezve');
    await check('demo-cart-refused');
    await context.close();
  });
});

describe('the subscription of the shop of the demo TPP (spec 3.2)', () => {
  it('is signed once, paid, and ended under the orders of the money app; at each width', async () => {
    await awayFromMidnight(world);
    const psu = await world.person('100.00');
    const { context, page, look } = await visitor(browser, 'en', ...widths);
    await page.goto(`${demo}/shop`);
    await page.getByRole('link', { name: 'Subscription' }).click();
    await look('demo-25-subscription');
    await page.fill('[name=debtorIban]', psu.accounts[0]?.iban ?? '');
    await page.fill('[name=startDate]', dayFrom(await sandboxNow(world), 0));
    await page.click('text=Subscribe by bank');
    await approveAtBank(page, psu);
    await page.waitForURL(/\/orders\/[\w-]+$/);
    // Past a weekend and holidays, on which nothing is paid.
    await world.advance('P7D');
    await page.locator('#state', { hasText: 'ACSP' }).waitFor();
    expect(await page.textContent('#occurrences')).toContain('carried out');
    await page.getByRole('link', { name: 'Orders' }).click();
    await look('demo-26-orders');
    expect(await page.textContent('#own-orders')).toMatch(/BGN\s12\.90\s+every month/);
    await page.click('#own-orders a');
    await page.click('text=Cancel the order');
    await page.locator('#state', { hasText: 'CANC' }).waitFor();
    await context.close();
  });

  it('is refused by the bank for a first day in the past, with a link to the field', async () => {
    const psu = await world.person('100.00');
    const { context, page, check } = await visitor(browser, 'en', 360);
    await page.goto(`${demo}/shop/subscription`);
    await page.fill('[name=debtorIban]', psu.accounts[0]?.iban ?? '');
    await page.fill('[name=startDate]', '2001-01-01');
    await page.click('text=Subscribe by bank');
    expect(await page.getAttribute('[role=alert] a', 'href')).toBe('#startDate');
    expect(await page.inputValue('[name=startDate]')).toBe('2001-01-01');
    await check('demo-subscription-refused');
    await context.close();
  });
});

describe('an account of a company in the demo TPP (contract 10)', () => {
  it('is paid from once each of its signers has signed', async () => {
    const { context, page, check } = await visitor(browser, 'en', 360);
    await page.goto(demo);
    await page.click('text=Pick Georgi');
    await page.waitForSelector('.picked');
    await add(page, 'Cezve');
    await page.click('text=by bank');
    await page.waitForURL(/\/purchases\/[\w-]+$/);
    await check('demo-order-several-signers');
    const order = page.url();
    for (const psuId of ['georgi', 'elena']) {
      await page.goto(order);
      await page.click(`text=Sign at the bank as ${psuId}`);
      await approveAtBank(page, { psuId, password: 'sandbox' });
      await page.waitForURL(order);
    }
    await page.goto(order);
    await page.locator('#state .headline.signed').waitFor();
    await context.close();
  });

  it('cannot be paid from without a test person who signs for it, which keeps the cart', async () => {
    const { iban } = await world.corporate(2, 2);
    const { context, page } = await visitor(browser, 'en', 360);
    await add(page, 'Cezve');
    await checkOut(page, iban);
    await page.waitForSelector('[role=alert]');
    expect(await page.textContent('[role=alert]')).toContain('pick the test person');
    expect(await page.textContent('.cart')).toContain('Cezve');
    await context.close();
  });
});
