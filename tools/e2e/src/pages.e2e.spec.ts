import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jsonOf } from '@xs2a/sandbox/http';
import axe from 'axe-core';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import {
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  sandboxNow,
  statusOf,
} from './requests.js';
import { type FreshPsu, World } from './world.js';

const screens = resolve(import.meta.dirname, '../../../.xs2a/screens');
const widths = [360, 1280] as const;
let world: World;
let browser: Browser;
let psu: FreshPsu;

beforeAll(async () => {
  mkdirSync(screens, { recursive: true });
  world = await World.start();
  psu = await world.person('1000.00', '20.00');
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}, 60_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** What a person would complain about: accessibility rules broken, or a page wider than the screen. */
const complaints = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run(document)')) as {
    violations: { id: string; nodes: { target: string[] }[] }[];
  };
  const wide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ...(Number(wide) > 0 ? [`${String(wide)} px too wide`] : []),
  ];
};

const open = async (
  language: string,
  width: number,
): Promise<{ context: BrowserContext; page: Page; look: (name: string) => Promise<void> }> => {
  // The checks run scripts of the test's own, which the pages' policy rightly forbids to anybody else.
  const context = await browser.newContext({
    locale: language,
    viewport: { width, height: 800 },
    bypassCSP: true,
  });
  const page = await context.newPage();
  return {
    context,
    page,
    look: async (name) => {
      await page.screenshot({ path: join(screens, `${name}-${language}-${width}.png`), fullPage: true });
      expect([name, await complaints(page)]).toEqual([name, []]);
      expect(await page.getAttribute('html', 'lang')).toBe(language);
    },
  };
};
const signIn = async (page: Page): Promise<void> => {
  await page.fill('[name=psuId]', psu.psuId);
  await page.fill('[name=password]', psu.password);
  await page.keyboard.press('Enter');
};
const press = async (page: Page, decision: string): Promise<void> =>
  page.click(`button[name=decision][value=${decision}]`);

describe.each(['bg', 'en'])('the pages in a real browser, in %s (contract 12)', (language) => {
  it.each(widths)('payment: sign in, review, code, result at %i px', async (width) => {
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const payment = await initiate(
      tpp,
      token,
      domesticPayment(psu.accounts[0]?.iban ?? '', '2.00', { creditorName: 'Петър <b>Иванов</b>' }),
    );
    const { context, page, look } = await open(language, width);
    await page.goto(payment.scaRedirect);
    await look('payment-1-sign-in');
    await signIn(page);
    await page.waitForSelector('button[value=approve]');
    const review = (await page.textContent('main')) ?? '';
    const amount = language === 'bg' ? '2,00\u00a0лв.' : 'BGN\u00a02.00';
    for (const fact of [amount, 'Петър <b>Иванов</b>', 'Sandbox TPP']) expect(review).toContain(fact);
    expect(review.replaceAll(/\s/g, '')).toContain('BG26RZBB91551023456789');
    await look('payment-2-review');
    await press(page, 'approve');
    await page.waitForSelector('[name=otp]');
    await look('payment-3-code');
    await page.fill('[name=otp]', '123456');
    await press(page, 'approve');
    await page.waitForFunction('!document.querySelector("[name=otp]")');
    await look('payment-4-result');
    expect(await statusOf(tpp, token, payment.path)).toEqual({ transactionStatus: 'ACCP' });
    await page.goto(payment.scaRedirect);
    await look('payment-5-used-link');
    await context.close();
  });

  it.each(widths)(
    'consent: sign in, pick accounts, review, code, back to the TPP at %i px',
    async (width) => {
      const tpp = world.tpp();
      const answer = await tpp.call('POST', '/v1/consents', await tpp.applicationToken('PSP_AI'), {
        json: consentBody([], dayFrom(await sandboxNow(world), 60)),
        headers: { 'psu-id': psu.psuId },
      });
      const { consentId } = jsonOf<{ consentId: string }>(answer);
      const { context, page, look } = await open(language, width);
      let returnedTo = '';
      await context.route('http://127.0.0.1:8090/**', async (route) => {
        returnedTo = route.request().url();
        await route.fulfill({ contentType: 'text/html', body: '<title>TPP</title>back' });
      });
      await page.goto(tpp.authorizationRequest('PSP_AI', consentId).url);
      await look('consent-1-sign-in');
      await signIn(page);
      await page.waitForSelector('[name=accounts]');
      await look('consent-2-accounts');
      for (const box of await page.locator('[name=accounts]').all()) await box.check();
      await press(page, 'approve');
      await page.waitForFunction(
        '!document.querySelector("[name=accounts]") || document.querySelector("[name=accounts]").type === "hidden"',
      );
      await look('consent-3-review');
      await press(page, 'approve');
      await page.waitForSelector('[name=otp]');
      await look('consent-4-code');
      await page.fill('[name=otp]', '123456');
      await press(page, 'approve');
      await page.waitForURL('http://127.0.0.1:8090/**');
      expect(new URL(returnedTo).searchParams.get('code')).not.toBeNull();
      await context.close();
    },
  );

  it.each(widths)(
    'the PSU sees the apps with access and withdraws one, and the payments signed, at %i px',
    async (width) => {
      await consented(
        world,
        world.tpp(),
        psu,
        consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 60)),
      );
      const { context, page, look } = await open(language, width);
      await page.goto(`${world.baseUrl}/sca/payments`);
      await look('payments-1-sign-in');
      await signIn(page);
      await page.waitForFunction('!document.querySelector("[name=password]")');
      await look('payments-2-list');
      expect(await page.textContent('main')).toContain('Петър');
      await page.goto(`${world.baseUrl}/sca/apps`);
      if ((await page.locator('[name=password]').count()) > 0) await signIn(page);
      await page.waitForSelector('button[value=withdraw]');
      await look('apps-1-list');
      const before = await page.locator('button[value=withdraw]').count();
      await page.locator('button[value=withdraw]').first().click();
      await page.waitForFunction(`document.querySelectorAll("button[value=withdraw]").length < ${before}`);
      await look('apps-2-withdrawn');
      await context.close();
    },
  );
});
