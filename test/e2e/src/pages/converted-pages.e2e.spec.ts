// Lane: long (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import { domesticPayment, initiate } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import type { Browser } from 'playwright-core';
import { launchBrowser, signIn, visitor, widths } from './screens.js';

const dayMs = 86_400_000;

let world: World;
let browser: Browser;
beforeAll(async () => {
  world = await World.start();
  const owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'owner', max: 1 });
  await owner.query(
    `INSERT INTO payments.switch_over (at, target, phase) VALUES (now() + interval '1 day', 'bg-euro', 'planned')`,
  );
  await owner.end();
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

describe('the review of a payment in leva that runs after the switch-over (E6.4, E7.1)', () => {
  it.each([
    ['bg', '51,13\u00a0€ (100,00\u00a0лв.)'],
    ['en', '€51.13 (BGN\u00a0100.00)'],
  ])('shows the amount in euro, and in leva after it: %s', async (language, amount) => {
    const tpp = world.tpp();
    const psu = await world.person('1000.00');
    const body = {
      ...domesticPayment(psu.accounts[0]?.iban ?? '', '100.00'),
      requestedExecutionDate: new Date(Date.now() + 7 * dayMs).toISOString().slice(0, 10),
    };
    const { scaRedirect } = await initiate(tpp, await tpp.applicationToken(), body);
    const { page, context, check } = await visitor(browser, language, widths[0], 320);
    await page.goto(scaRedirect);
    await signIn(page, psu);
    await page.waitForSelector('[name=step][value=review]', { state: 'attached' });
    expect(await page.textContent('main')).toContain(amount);
    await check('a converted amount');
    await context.close();
  });
});
