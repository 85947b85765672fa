// Lane: long (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { domesticPayment, initiate } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import type { Browser, Page } from 'playwright-core';
import { approveAtBank, brightness, checkZoomed, launchBrowser, press, signIn, visitor } from './screens.js';

let world: World;
let browser: Browser;

beforeAll(async () => {
  world = await World.ofLane();
  browser = await launchBrowser();
}, 60_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

const atStep = async (page: Page, step: string): Promise<unknown> =>
  page.waitForSelector(`[name=step][value=${step}]`, { state: 'attached' });

describe.each(['bg', 'en'])('the pages for a PSU who sees little, in %s (contract 12)', (language) => {
  it('every control of a page can be reached and seen at 320 × 256, a zoom of 400 %', async () => {
    const tpp = world.tpp();
    const psu = await world.person('1000.00');
    const body = domesticPayment(psu.accounts[0]?.iban ?? '', '2.00');
    const payment = await initiate(tpp, await tpp.applicationToken(), body);
    const { context, page } = await visitor(browser, language, 360);
    await page.goto(payment.scaRedirect);
    await checkZoomed(page, 'sign-in');
    await signIn(page, { ...psu, password: 'wrong' });
    await page.waitForSelector('[role=alert]');
    await checkZoomed(page, 'sign-in failed');
    await signIn(page, psu);
    await atStep(page, 'review');
    await page.locator('details.more summary').click();
    await checkZoomed(page, 'review');
    await press(page, 'approve');
    await page.waitForSelector('[name=otp]');
    await page.fill('[name=otp]', '000000');
    await press(page, 'approve');
    await page.waitForSelector('[role=alert]');
    await checkZoomed(page, 'wrong code');
    await page.fill('[name=otp]', '123456');
    await press(page, 'approve');
    await page.waitForFunction('!document.querySelector("[name=otp]")');
    await checkZoomed(page, 'result');
    await page.goto(`${world.baseUrl}/sca/payments`);
    await signIn(page, psu);
    await page.waitForSelector('.entries');
    await checkZoomed(page, 'approvals');
    await context.close();
  });

  it('success and failure are told apart in a grey, blurred picture, in both colour schemes', async () => {
    const tpp = world.tpp();
    const psu = await world.person('1000.00');
    const { context, page } = await visitor(browser, language, 360);
    const seen: Record<string, number> = {};
    for (const decision of ['approve', 'refuse']) {
      const body = domesticPayment(psu.accounts[0]?.iban ?? '', '2.00');
      const payment = await initiate(tpp, await tpp.applicationToken(), body);
      await page.goto(payment.scaRedirect);
      if (decision === 'approve') await approveAtBank(page, psu);
      else await press(page, 'refuse');
      await page.waitForSelector('.hero');
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        seen[`${decision} ${colorScheme}`] = brightness(await page.locator('.hero').screenshot());
      }
    }
    for (const scheme of ['light', 'dark']) {
      const [good, bad] = [seen[`approve ${scheme}`] ?? 0, seen[`refuse ${scheme}`] ?? 0];
      expect(Math.abs(good - bad)).toBeGreaterThan(64);
    }
    await context.close();
  });
});
