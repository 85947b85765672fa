// Lane: long (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { domesticPath, domesticPayment, initiate, until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import type { Browser, Page } from 'playwright-core';
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

/** The texts of the cells of a figure: its value at each moment, and the difference. */
const figure = async (page: Page, name: string): Promise<readonly string[]> =>
  page
    .getByRole('row', { name: new RegExp(`^${name} `) })
    .locator('td')
    .allInnerTexts();

describe('Now as of a moment (docs/how-to/operate-the-console.md)', () => {
  it('shows the figures at two moments and their difference, as Now showed them, at an address that stays true', async () => {
    const { page, context, look } = await openAs({ browser, url }, 'viewer', '/now');
    const psu = await world.person('1000.00');
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const post = async () => initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    await post();
    const before = new Date().toISOString();
    await post();
    await post();
    const after = new Date().toISOString();
    await shows(page, /Not signed yet\s*3/);
    const address = `${url}/now/as-of?${new URLSearchParams({ at: before, and: after }).toString()}`;
    await page.goto(address);
    expect(await figure(page, 'Not signed yet')).toEqual(['1', '3', '+2']);
    expect(await figure(page, 'Overdue')).toEqual(['0', '0', '0']);
    await shows(page, 'What is not known of a past moment');
    // Gateways report their calls every five seconds.
    await until(
      async () => {
        await page.reload();
        return figure(page, 'Calls of the five minutes before');
      },
      ([, , difference]) => difference === '+2',
    );
    await look('console-now-as-of');
    await post();
    await page.reload();
    expect(await figure(page, 'Not signed yet')).toEqual(['1', '3', '+2']);
    await page.locator('thead a').first().click();
    await page.waitForURL(`${url}/now/as-of?${new URLSearchParams({ at: before }).toString()}`);
    expect(await figure(page, 'Not signed yet')).toEqual(['1']);
    await page.goto(`${url}/now`);
    await page.getByRole('link', { name: 'As of a moment' }).click();
    await shows(page, 'difference');
    await page.getByLabel('as of (UTC').fill('2999-01-01 12:00');
    await page.keyboard.press('Enter');
    await shows(page, 'This moment has not come yet.');
    await context.close();
  }, 90_000);
});

describe('what Now offers for a finding', () => {
  it('is the runbook of this release, as a page', async () => {
    const { page, context, check } = await openAs({ browser, url }, 'viewer', '/now');
    const tpp = world.tpp('sandbox-tpp-2');
    const token = await tpp.applicationToken();
    for (let call = 0; call < 20; call += 1) await tpp.call('POST', domesticPath, token, { json: {} });
    await page.getByRole('link', { name: 'Runbook: A TPP is refused' }).click();
    await page.waitForURL(`${url}/runbooks/tpp-refused`);
    await shows(page, 'xs2a -- calls list --tpp CLIENT_ID --status refused');
    await check('runbook');
    await page.getByRole('link', { name: 'All runbooks' }).click();
    await page.waitForURL(`${url}/runbooks`);
    await check('runbooks');
    await page.getByRole('link', { name: 'payments do not settle' }).click();
    await page.waitForURL(`${url}/runbooks/payments-do-not-settle`);
    expect((await page.goto(`${url}/runbooks/nothing`))?.status()).toBe(404);
    await context.close();
  }, 60_000);

  it('is a command with a button that copies it and says so; without scripts, there is only the command', async () => {
    const { page, context } = await openAs({ browser, url }, 'viewer', '/settlement');
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
    await page.getByRole('button', { name: 'Copy the command' }).click();
    await page.getByRole('status').getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('xs2a settlement queue');
    const plain = await browser.newContext({
      storageState: await context.storageState(),
      javaScriptEnabled: false,
    });
    const still = await plain.newPage();
    await still.goto(`${url}/settlement`);
    await shows(still, 'xs2a settlement queue');
    expect(await still.getByRole('button', { name: 'Copy the command' }).count()).toBe(0);
    await plain.close();
    await context.close();
  }, 60_000);
});
