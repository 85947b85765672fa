// Lane: long, first (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '@xs2a/tpp-client/http';
import type { Browser, Page } from 'playwright-core';
import { awayFromMidnight } from '@xs2a/test-support/requests';
import { demoWorld } from './demo-world.js';
import { approveAtBank, keepGallery, launchBrowser, press, signIn, visitor, widths } from './screens.js';
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

const keepForBasket = async (page: Page): Promise<void> => {
  await page.click('button[name=then][value=basket]');
  await page.waitForURL(`${demo}/baskets`);
};
const addPayment = async (page: Page, iban: string, amount: string): Promise<void> => {
  await page.goto(`${demo}/pay`);
  await page.fill('[name=debtorIban]', iban);
  await page.fill('[name=amount]', amount);
  await keepForBasket(page);
};
const addToBudget = async (page: Page, iban: string, amount: string): Promise<void> => {
  await page.goto(`${demo}/budget`);
  await page.fill('[name=debtorIban]', iban);
  await page.fill('[name=amount]', amount);
  await page.fill('[name=obligedPerson]', 'Иван Петров');
  await keepForBasket(page);
};
const addBulk = async (page: Page, iban: string): Promise<void> => {
  const { text } = await send('GET', `${demo}/bulks/examples/payments.csv`);
  await page.goto(`${demo}/bulks`);
  await page.setInputFiles('[name=file]', {
    name: 'payments.csv',
    mimeType: 'text/plain',
    buffer: Buffer.from(text),
  });
  await page.click('main button');
  await page.waitForURL(/\/bulks\/preview$/);
  await page.fill('[name=debtorIban]', iban);
  await keepForBasket(page);
};
/** Moves the focus to a control by keyboard. */
const tabTo = async (page: Page, selector: string): Promise<void> => {
  for (let stops = 0; stops < 40; stops += 1) {
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${selector}`);
};
/** Returns the status of each item as returned by the API. */
const statuses = async (page: Page): Promise<string[]> =>
  (await page.locator('#items .status .quiet').allTextContents()).map((text) => text.trim());
const inState = async (page: Page, status: string): Promise<void> =>
  page.locator('#state', { hasText: status }).waitFor();
const atBasket = async (page: Page): Promise<void> => page.waitForURL(/\/baskets\/[\w-]{36}$/);
/** Selects everything offered and continues to the bank's sign-in page. */
const toBank = async (page: Page): Promise<void> => {
  await page.click('main form button');
  await page.waitForURL(/\/baskets\/preview$/);
  await page.click('main form button');
  await page.waitForSelector('[name=password]');
};

describe('a signing basket at the demo TPP (contract 10)', () => {
  it('with three out of four payments, selected by keyboard: signed together, and shown as finished one by one without a reload; at each width', async () => {
    const psu = await world.person('200.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const { context, page, look, check } = await visitor(browser, 'en', ...widths);
    await page.goto(`${demo}/baskets`);
    await check('baskets, nothing to choose');
    await addPayment(page, iban, '5.00');
    await addPayment(page, iban, '7.77');
    await page.goto(`${demo}/budget`);
    await check('payment to the budget');
    await addToBudget(page, iban, '100.00');
    await addBulk(page, iban);
    await look('demo-16-basket');
    await tabTo(page, 'li:nth-child(2) > label > [name=item]');
    await page.keyboard.press('Space');
    await tabTo(page, '.choose ~ button');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/baskets\/preview$/);
    expect(await page.locator('.entries > li').count()).toBe(3);
    expect((await page.textContent('dd > data'))?.replaceAll('\u00a0', ' ')).toContain('BGN 273.24');
    await look('demo-17-basket-preview');
    await tabTo(page, 'main form button');
    await page.keyboard.press('Enter');
    await approveAtBank(page, psu);
    await atBasket(page);
    await page.evaluate('globalThis.isSamePage = true');
    await inState(page, 'ACTC');
    expect(await statuses(page)).toEqual(['ACCP', 'ACCP', 'ACCP']);
    await world.advance('PT1M');
    await inState(page, 'ACSC');
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    expect(await statuses(page)).toEqual(['ACSC', 'ACSC', 'PART']);
    expect(await page.textContent('#state')).toContain('not all of it was carried out');
    expect(await page.locator('#actions *').count()).toBe(0);
    await look('demo-18-basket-ended');
    await page.locator('#items a').last().click();
    await page.waitForURL(/\/bulks\/[\w-]{36}$/);
    expect(await page.textContent('#state')).toContain('PART');
    await page.goto(`${demo}/baskets`);
    expect(await page.locator('[name=item]').count()).toBe(1);
    await context.close();
  });

  it('shows which of its payments was not carried out for lack of funds', async () => {
    const psu = await world.person('10.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const { context, page, check } = await visitor(browser, 'en', 360);
    for (const amount of ['1.00', '50.00', '2.00']) await addPayment(page, iban, amount);
    await toBank(page);
    await approveAtBank(page, psu);
    await atBasket(page);
    await world.advance('PT1M');
    await inState(page, 'ACSC');
    expect(await statuses(page)).toEqual(['ACSC', 'ACCP', 'ACSC']);
    expect(await page.textContent('#item-2 .bad')).toContain('not carried out: there was not enough money');
    await check('basket with an unfunded payment');
    await context.close();
  });

  it('shows every item as rejected after a refusal at the bank', async () => {
    const psu = await world.person('10.00');
    const { context, page, check } = await visitor(browser, 'en', 360);
    for (const amount of ['1.00', '2.00']) await addPayment(page, psu.accounts[0]?.iban ?? '', amount);
    await toBank(page);
    await signIn(page, psu);
    await page.waitForSelector('[name=step][value=review]', { state: 'attached' });
    await press(page, 'refuse');
    await atBasket(page);
    await inState(page, 'RJCT');
    expect(await page.textContent('#state')).toContain('not authorised: none of it');
    await page.locator('#item-2 .bad').waitFor();
    expect(await statuses(page)).toEqual(['RJCT', 'RJCT']);
    expect(await page.locator('.notice').first().getAttribute('role')).toBe('alert');
    await check('basket refused');
    await context.close();
  });

  it('can be signed later if left unsigned, or dissolved so that its payments are offered again', async () => {
    const psu = await world.person('10.00');
    const { context, page, check } = await visitor(browser, 'en', 360);
    for (const amount of ['1.00', '2.00']) await addPayment(page, psu.accounts[0]?.iban ?? '', amount);
    await toBank(page);
    await page.goto(`${demo}/baskets`);
    expect(await page.locator('[name=item]').count()).toBe(0);
    await page.click('.cards a');
    await inState(page, 'RCVD');
    await check('basket not signed');
    await page.click('text=Sign at the bank');
    await page.waitForSelector('[name=password]');
    await page.goBack();
    const action = (await page.getAttribute('#actions form', 'action')) ?? '';
    const csrf = await page.inputValue('#actions [name=csrf]');
    await page.click('#actions button');
    await inState(page, 'CANC');
    expect(await page.textContent('#state')).toContain('dissolved');
    expect(await page.getAttribute('.notice', 'role')).toBe('status');
    // The same form, sent again by an impatient user, changes nothing.
    const again = await page.request.post(new URL(action, page.url()).href, { form: { csrf } });
    expect(again.status()).toBe(200);
    await page.goto(`${demo}/baskets`);
    expect(await page.locator('[name=item]').count()).toBe(2);
    await context.close();
  });

  it('shows a refusal by the bank with a link to the payment concerned, and keeps the selection', async () => {
    const psu = await world.person('10.00');
    const other = await world.person('10.00');
    const { context, page, check } = await visitor(browser, 'en', 360);
    for (const person of [psu, other]) await addPayment(page, person.accounts[0]?.iban ?? '', '1.00');
    await page.click('main form button');
    await page.waitForURL(/\/baskets\/preview$/);
    await page.click('main form button');
    await page.waitForSelector('.notice li');
    expect(await page.textContent('.notice')).toContain('REFERENCE_MIX_INVALID');
    await check('basket not taken');
    await page.goto(`${demo}/baskets`);
    for (const box of await page.locator('[name=item]').all()) await box.uncheck();
    await page.click('main form button');
    await page.waitForSelector('.notice');
    expect(page.url()).toBe(`${demo}/baskets`);
    expect(await page.getAttribute('.notice', 'role')).toBe('alert');
    await context.close();
  });
});
