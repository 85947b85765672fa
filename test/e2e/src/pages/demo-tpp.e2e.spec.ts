// Lane: first (it takes a minute or more).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { send } from '@xs2a/tpp-client/http';
import { demoWorld } from './demo-world.js';
import { look, submit } from './page-visitor.js';
import { rawRequest } from '@xs2a/test-support/raw-http';
import type { Browser, Page } from 'playwright-core';
import {
  confirm,
  approveAtBank,
  keepGallery,
  launchBrowser,
  press,
  signIn,
  visitor,
  widths,
} from './screens.js';
import type { World } from '@xs2a/test-support/world';

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

const readText = async (page: Page): Promise<string> => (await page.textContent('main')) ?? '';
const isHome = (url: URL): boolean => url.origin === demo;

describe('the demo TPP against the bank (spec 3.4, 5.2, 5.3)', () => {
  it('connect: shows accounts and transactions, and reconnects after withdrawal at the bank; at each width', async () => {
    const psu = await world.person('1000.00', '20.00');
    const { context, page, look } = await visitor(browser, 'en', ...widths);
    await page.goto(demo);
    await look('demo-1-home');
    await page.click('a.button[href="/accounts"]');
    await page.fill('[name=psuId]', psu.psuId);
    await page.keyboard.press('Enter');
    await approveAtBank(page, psu);
    await page.waitForURL(isHome);
    expect(await readText(page)).toContain('Your bank is connected');
    const shown = (await readText(page)).replaceAll(/\s/g, '');
    for (const { iban } of psu.accounts) expect(shown).toContain(iban);
    await look('demo-2-accounts');
    await page.locator('main li a').first().click();
    await page.waitForURL(/accounts\/./);
    await look('demo-3-transactions');
    // The consent is withdrawn where it was given, at the bank.
    const bank = await context.newPage();
    await bank.goto(`${world.baseUrl}/sca/apps`);
    await signIn(bank, psu);
    await confirm(bank, 'withdraw');
    await bank.waitForSelector('[role=status]');
    await page.goto(`${demo}/accounts`);
    expect(await readText(page)).toContain('Connect again');
    await look('demo-4-connect-again');
    await context.close();
  });

  it('pay: signed at the bank and executed; at each width', async () => {
    const psu = await world.person('1000.00');
    const { context, page, look } = await visitor(browser, 'en', ...widths);
    await page.goto(`${demo}/pay`);
    await page.fill('[name=debtorIban]', psu.accounts[0]?.iban ?? '');
    await page.fill('[name=amount]', '12,50');
    await look('demo-5-pay');
    await page.keyboard.press('Enter');
    await approveAtBank(page, psu);
    await page.waitForURL(isHome);
    expect(await readText(page)).toContain('signed');
    await world.advance('PT1M');
    await page.reload();
    expect(await readText(page)).toContain('carried out');
    expect(await readText(page)).toContain('ACSC');
    await look('demo-6-paid');
    await context.close();
  });

  it('pay: a refusal at the bank leads back to the Nok address (spec 3.4)', async () => {
    const psu = await world.person('1000.00');
    const { context, page, look } = await visitor(browser, 'en', 360);
    await page.goto(`${demo}/pay`);
    await page.fill('[name=debtorIban]', psu.accounts[0]?.iban ?? '');
    await page.fill('[name=amount]', '12.50');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[name=password]');
    await signIn(page, psu);
    await page.waitForSelector('[name=step][value=review]', { state: 'attached' });
    await press(page, 'refuse');
    await page.waitForURL(isHome);
    expect(await readText(page)).toContain('not authorised');
    expect(await readText(page)).toContain('without signing');
    await look('demo-7-refused');
    await context.close();
  });

  it('check funds: the PSU allows it once at the bank, and the page then shows yes or no', async () => {
    const psu = await world.person('100.00');
    const { context, page, look } = await visitor(browser, 'en', 360);
    await page.goto(`${demo}/funds`);
    await page.locator('main button').click();
    await approveAtBank(page, psu);
    await page.waitForURL(isHome);
    for (const [amount, answer] of [
      ['100.00', 'Yes:'],
      ['100,01', 'No:'],
    ] as const) {
      await page.fill('[name=amount]', amount);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.answer');
      expect(await page.textContent('.answer')).toContain(answer);
    }
    await look('demo-8-funds');
    await context.close();
  });

  it('connect: reads nothing after a refusal at the bank', async () => {
    const psu = await world.person('100.00');
    const { context, page } = await visitor(browser, 'en', 360);
    await page.goto(`${demo}/accounts`);
    await page.fill('[name=psuId]', psu.psuId);
    await page.keyboard.press('Enter');
    await page.waitForSelector('[name=password]');
    await press(page, 'cancel');
    await page.waitForURL(isHome);
    expect(await page.getAttribute('.notice', 'role')).toBe('alert');
    await page.goto(`${demo}/accounts`);
    expect(await page.locator('main li').count()).toBe(0);
    await context.close();
  });
});

describe('the demo TPP, secured like the bank’s pages', () => {
  it('refuses forms without their session’s token, and allows no page to be framed or cached', async () => {
    const [mine, other] = [await look(demo), await look(demo)];
    const fields = { csrf: mine.csrf, psuId: 'ivan' };
    const forged: Parameters<typeof submit>[] = [
      [`${demo}/connect`, mine.cookie, { ...fields, csrf: '' }],
      [`${demo}/connect`, mine.cookie, { ...fields, csrf: other.csrf }],
      [`${demo}/connect`, undefined, fields],
      [`${demo}/connect`, mine.cookie, fields, { 'sec-fetch-site': 'cross-site' }],
      [`${demo}/pay`, mine.cookie, { amount: '1' }],
      [`${demo}/funds/allow`, other.cookie, fields],
      [`${demo}/disconnect`, mine.cookie, {}],
    ];
    for (const request of forged) expect((await submit(...request)).status).toBe(403);
    for (const path of ['/', '/accounts', '/funds', '/pay', '/payments/none', '/nothing']) {
      const { headers } = await look(`${demo}${path}`);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.getSetCookie().join()).toMatch(/HttpOnly; SameSite=Lax/);
    }
    process.stderr.write(`security, demo TPP: forged forms ${forged.length} · page headers 6\n`);
  });

  it('accepts a redirect from the bank only once, only in the browser that was sent there, and only with the issuer of the bank', async () => {
    const psu = await world.person('100.00');
    const person = new PsuBrowser({ 'accept-language': 'en' });
    const home = await person.open(`${demo}/accounts`);
    await person.submit(home, { psuId: psu.psuId });
    const toBank = person.leftTo ?? '';
    expect([...new URL(toBank).searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const atBank = new PsuBrowser({ 'accept-language': 'en' });
    await walkAndApprove(atBank, toBank, psu);
    const back = new URL(atBank.leftTo ?? '');
    const elsewhere = new URL(back);
    elsewhere.searchParams.set('iss', 'https://other.example');
    const stranger = await look(demo);
    for (const [url, cookie] of [
      [back.href, stranger.cookie],
      [back.href, undefined],
    ] as const) {
      const answer = await send('GET', url, { headers: cookie === undefined ? {} : { cookie } });
      expect(answer.headers.get('location')).toBe('/accounts');
    }
    expect((await person.open(elsewhere.href)).text).toContain('does not belong to a request of yours');
    // Neither an error nor an empty return ends a login unless it has the state of that login.
    for (const query of ['error=access_denied', 'error=access_denied&state=other', 'state=other', '']) {
      const forged = `${demo}/callback?iss=${encodeURIComponent(world.baseUrl)}&${query}`;
      expect((await person.open(forged)).text).toContain('does not belong to a request of yours');
    }
    expect((await person.open(back.href)).text).toContain('Your bank is connected');
    expect((await person.open(back.href)).text).toContain('does not belong to a request of yours');
  });

  it('handles any path and name without crashing or linking to another host', async () => {
    for (const path of ['//', '/.//evil.example/x', '//evil.example/x', '/\\evil.example/x']) {
      const { status, text } = await rawRequest(demo, `GET ${path}`);
      expect([200, 404]).toContain(status);
      expect(text).not.toMatch(/href="[/\\]{2}/);
    }
    const home = await look(demo);
    const psuId = `${'x'.repeat(63)}😀`;
    expect((await submit(`${demo}/connect`, home.cookie, { csrf: home.csrf, psuId })).status).toBe(303);
  });

  it('keeps secrets, tokens, names and accounts out of its log', () => {
    const log = readFileSync(join(world.dataDir, 'logs/demo-tpp.log'), 'utf8');
    expect(log).toContain('ready');
    expect(log).not.toMatch(/BG\d\d[A-Z]{4}|eyJ|code=|Petar|secret/);
  });
});

describe('the test people of the demo TPP', () => {
  it('are picked once, and suggested on each form with what the bank asks for; at each width', async () => {
    const { context, page, check } = await visitor(browser, 'en', ...widths);
    await page.goto(demo);
    await page.click('text=Pick Maria');
    await page.waitForSelector('.picked');
    await check('demo-people');
    await page.goto(`${demo}/accounts`);
    expect(await page.textContent('header')).toMatch(
      /user name\s+maria,\s+password\s+sandbox,\s+code\s+123456/,
    );
    expect(await page.inputValue('[name=psuId]')).toBe('maria');
    await page.goto(`${demo}/pay`);
    expect(await page.inputValue('[name=debtorIban]')).toBe('BG46XSBK92001000000011');
    await context.close();
  });
});
