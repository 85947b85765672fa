// Lane: first (it takes a minute or more).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import type { Browser, Page } from 'playwright-core';
import {
  consentBody,
  authorised,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  sandboxNow,
  readStatus,
} from '@xs2a/test-support/requests';
import { confirm, keepGallery, launchBrowser, press, signIn, visitor, widths } from './screens.js';
import { World } from '@xs2a/test-support/world';

let world: World;
let browser: Browser;

beforeAll(async () => {
  world = await World.ofLane();
  browser = await launchBrowser();
}, 60_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
  keepGallery();
});

const readText = async (page: Page): Promise<string> => (await page.textContent('main')) ?? '';
const atStep = async (page: Page, step: string): Promise<unknown> =>
  page.waitForSelector(`[name=step][value=${step}]`, { state: 'attached' });

/** Where the button ends, in pixels from the top of the page. */
const bottomOf = async (page: Page, decision: string): Promise<number> => {
  const box = await page.locator(`button[value=${decision}]`).boundingBox();
  return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
};

/** The longest allowed name and amount, which must not overflow their box. */
const long = {
  creditorName: 'Дружество-с-много-дълго-име-без-нито-един-интервал-за-пренасяне-и-край',
  amount: '90071992547409.91',
  remittanceInformationUnstructured: 'Фактура-2026-0000000000000000000000000000000000001, '.repeat(2).trim(),
};
const budget = {
  creditorAccount: { iban: 'BG88BNBG96618000195001' },
  creditorName: 'НАП',
  remittanceInformationUnstructured: 'Данък общ доход',
  ultimateDebtor: 'Акме ЕООД',
  purposeCode: 'GOVT',
  budgetPaymentDetails: {
    regulatoryReportType: '4',
    documentNumber: '77',
    documentDate: '2026-10-05',
    taxpayerId: '1234567890',
    taxpayerType: 'EGN',
    paymentCategory: '110000',
    fromDate: '2026-01-01',
    endDate: '2026-03-31',
    obligedPersonName: 'Иван Петров',
  },
};

describe.each(['bg', 'en'])('the pages in a real browser, in %s (contract 12)', (language) => {
  it('payment: the PSU signs in, reviews, enters the code and sees the result at each width', async () => {
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const psu = await world.person('1000.00');
    const payment = await initiate(
      tpp,
      token,
      domesticPayment(psu.accounts[0]?.iban ?? '', '2.00', { creditorName: 'Петър <b>Иванов</b>' }),
    );
    const { context, page, look, check } = await visitor(browser, language, ...widths, 320);
    const checkDark = async (name: string): Promise<void> => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await check(`${name} in dark mode`);
      await page.emulateMedia({ colorScheme: null });
    };
    await page.goto(payment.scaRedirect);
    await look('payment-1-sign-in');
    await signIn(page, { ...psu, password: 'wrong' });
    await page.waitForSelector('[role=alert]');
    await look('payment-2-sign-in-failed');
    await signIn(page, psu);
    await atStep(page, 'review');
    const review = await readText(page);
    const amount = language === 'bg' ? '2,00\u00a0лв.' : 'BGN\u00a02.00';
    for (const fact of [amount, 'Петър <b>Иванов</b>', 'Sandbox TPP']) expect(review).toContain(fact);
    expect(review.replaceAll(/\s/g, '')).toContain('BG26RZBB91551023456789');
    await look('payment-3-review');
    await checkDark('review');
    expect(await bottomOf(page, 'approve')).toBeLessThanOrEqual(740);
    await press(page, 'approve');
    await page.waitForSelector('[name=otp]');
    await look('payment-4-code');
    await page.fill('[name=otp]', '000000');
    await press(page, 'approve');
    await page.waitForSelector('[role=alert]');
    await look('payment-5-code-wrong');
    await checkDark('wrong code');
    await page.fill('[name=otp]', '123 456');
    await press(page, 'approve');
    await page.waitForFunction('!document.querySelector("[name=otp]")');
    expect(await readText(page)).toMatch(language === 'bg' ? /Кога\s+на \d/ : /When\s+on \d/);
    await look('payment-6-result');
    await checkDark('result');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.receipt').isVisible()).toBe(true);
    expect(await page.locator('.links').first().isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    expect(await readStatus(tpp, token, payment.path)).toEqual({ transactionStatus: 'ACCP' });
    // Without the page session cookie, the link counts as used.
    await context.clearCookies();
    expect((await page.goto(payment.scaRedirect))?.status()).toBe(410);
    await look('link-1-used');
    await context.close();
  });

  it('five wrong codes: the tries left, which a new code does not reset, and until when signing is locked', async () => {
    const tpp = world.tpp();
    const psu = await world.person('1000.00');
    const token = await tpp.applicationToken();
    const body = domesticPayment(psu.accounts[0]?.iban ?? '', '2.00');
    const payment = await initiate(tpp, token, body);
    const { context, page, look, check } = await visitor(browser, language, 360, 320);
    await page.goto(payment.scaRedirect);
    await signIn(page, psu);
    await atStep(page, 'review');
    await press(page, 'approve');
    await page.waitForSelector('[name=otp]');
    await press(page, 'resend');
    await page.waitForSelector('[role=alert]');
    await check('too early for a new code');
    const enterWrong = async (left: string): Promise<void> => {
      await page.fill('[name=otp]', '00 00 00');
      await press(page, 'approve');
      await page.waitForSelector(`[role=alert] a:has-text("${left}")`);
    };
    await enterWrong('4');
    await world.advance('PT31S');
    await press(page, 'resend');
    await page.waitForSelector('[role=status]');
    await check('a new code');
    for (const left of ['3', '2']) await enterWrong(left);
    await page.fill('[name=otp]', '000000');
    await press(page, 'approve');
    await page.waitForSelector('[role=alert] a:has-text("30")');
    await check('one try left');
    await page.fill('[name=otp]', '000000');
    await press(page, 'approve');
    await page.waitForSelector('.hero.locked');
    await look('payment-10-locked');
    expect(await readText(page)).toMatch(/\d:\d\d/);
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: 'RJCT' });
    await context.close();
  });

  it('long names and large amounts do not overflow at each width', async () => {
    const tpp = world.tpp();
    const psu = await world.person('1000.00');
    const { amount, ...changes } = long;
    const body = domesticPayment(psu.accounts[0]?.iban ?? '', amount, changes);
    const payment = await initiate(tpp, await tpp.applicationToken(), body);
    const { context, page, look } = await visitor(browser, language, ...widths);
    await page.goto(payment.scaRedirect);
    await signIn(page, psu);
    await atStep(page, 'review');
    await look('payment-7-long');
    await press(page, 'refuse');
    await page.waitForFunction('!document.querySelector("form")');
    await look('payment-8-refused');
    await context.close();
  });

  it('a budget payment can be reviewed in plain words at each width', async () => {
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const psu = await world.person('1000.00');
    const answer = await tpp.call('POST', '/v1/payments/domestic-budget-transfer-BGN', token, {
      json: domesticPayment(psu.accounts[0]?.iban ?? '', '150.00', budget),
    });
    const { _links } = parseJson<{ _links: { scaRedirect: { href: string } } }>(answer);
    const { context, page, look } = await visitor(browser, language, ...widths);
    await page.goto(_links.scaRedirect.href);
    await signIn(page, psu);
    await atStep(page, 'review');
    const words =
      language === 'bg' ? ['авансова вноска', 'ЕГН: 1234567890'] : ['advance payment', 'tax authority'];
    for (const fact of words) expect(await readText(page)).toContain(fact);
    await look('payment-9-budget');
    await context.close();
  });

  it('invalid links show an error page at each width', async () => {
    const tpp = world.tpp();
    const psu = await world.person('1000.00');
    const payment = await initiate(
      tpp,
      await tpp.applicationToken(),
      domesticPayment(psu.accounts[0]?.iban ?? ''),
    );
    const { context, page, look } = await visitor(browser, language, ...widths);
    const unknown = `${world.baseUrl}/sca/payment/${crypto.randomUUID()}/${crypto.randomUUID()}`;
    expect((await page.goto(unknown))?.status()).toBe(404);
    await look('link-2-unknown');
    await page.goto(payment.scaRedirect);
    await page.evaluate('document.querySelector("[name=csrf]").value = "x"');
    await press(page, 'cancel');
    await page.waitForFunction('!document.querySelector("form")');
    await look('link-3-form-of-nobody');
    await world.advance('PT16M');
    await context.clearCookies();
    expect((await page.goto(payment.scaRedirect))?.status()).toBe(410);
    const asked = language === 'bg' ? 'Sandbox TPP поиска да платите.' : 'Sandbox TPP asked you to pay.';
    expect(await readText(page)).toContain(asked);
    await look('link-4-expired');
    await page.goto(`${world.baseUrl}/oauth2/authorize?client_id=nobody`);
    await look('link-5-request-refused');
    await context.close();
  });

  it('time that runs out during the review is named as the reason', async () => {
    const tpp = world.tpp();
    const psu = await world.person('1000.00');
    const body = domesticPayment(psu.accounts[0]?.iban ?? '');
    const payment = await initiate(tpp, await tpp.applicationToken(), body);
    const { context, page } = await visitor(browser, language, 360);
    await world.advance('PT13M');
    await page.goto(payment.scaRedirect);
    await signIn(page, psu);
    await atStep(page, 'review');
    await world.advance('PT3M');
    await press(page, 'approve');
    await page.waitForSelector('.hero.bad');
    expect(await readText(page)).toContain(
      language === 'bg' ? 'Не е платено: времето изтече' : 'Not paid: time ran out',
    );
    await context.close();
  });

  it('consent: the PSU signs in, picks accounts, reviews, enters the code and returns to the TPP at each width', async () => {
    const tpp = world.tpp();
    const psu = await world.person('1000.00', '20.00');
    const answer = await tpp.call('POST', '/v1/consents', await tpp.applicationToken('PSP_AI'), {
      json: consentBody([], dayFrom(await sandboxNow(world), 60)),
      headers: { 'psu-id': psu.psuId },
    });
    const { consentId } = parseJson<{ consentId: string }>(answer);
    const { context, page, look } = await visitor(browser, language, ...widths);
    await page.goto(tpp.authorizationRequest('PSP_AI', consentId).url);
    await signIn(page, psu);
    await page.waitForSelector('[name=accounts]');
    const balance = language === 'bg' ? 'налични 1000,00\u00a0лв.' : 'available BGN\u00a01,000.00';
    expect(await readText(page)).toContain(balance);
    await look('consent-1-accounts');
    await press(page, 'approve');
    await page.waitForSelector('[role=alert]');
    for (const box of await page.locator('[name=accounts]').all()) await box.check();
    await press(page, 'approve');
    await atStep(page, 'review');
    await look('consent-2-review');
    await press(page, 'approve');
    await page.waitForSelector('[name=otp]');
    await look('consent-3-code');
    await page.fill('[name=otp]', '123456');
    // No server is needed at the TPP's address: the browser follows the redirect to it and then shows an
    // error.
    const [returned] = await Promise.all([
      page.waitForRequest('http://127.0.0.1:8090/**'),
      page.waitForEvent('framenavigated'),
      press(page, 'approve'),
    ]);
    expect(new URL(returned.url()).searchParams.get('code')).not.toBeNull();
    await page.goto(tpp.authorizationRequest('PSP_IC').url);
    await signIn(page, psu);
    await atStep(page, 'review');
    await look('consent-4-funds');
    await context.close();
  });

  it('the PSU sees which apps have access, withdraws the access of one, and sees the authorised payments, at each width', async () => {
    const tpp = world.tpp();
    const psu = await world.person('1000.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const payment = await initiate(tpp, await tpp.applicationToken(), domesticPayment(iban, '2.00'));
    const validUntil = dayFrom(await sandboxNow(world), 60);
    await consented(world, tpp, psu, consentBody([iban], validUntil));
    await consented(world, world.tpp('sandbox-tpp-2'), psu, consentBody([iban], validUntil));
    await authorised(world, tpp, psu, 'PSP_IC');
    const { context, page, look } = await visitor(browser, language, ...widths);
    await page.goto(payment.scaRedirect);
    await signIn(page, psu);
    await atStep(page, 'review');
    await press(page, 'approve');
    await page.fill('[name=otp]', '123456');
    await page.keyboard.press('Enter');
    await page.waitForFunction('!document.querySelector("[name=otp]")');
    await page.goto(`${world.baseUrl}/sca/payments`);
    await look('psu-1-sign-in');
    await signIn(page, psu);
    await page.waitForSelector('.entries');
    expect(await readText(page)).toContain('Petar Ivanov');
    await look('psu-2-payments');
    await page.goto(`${world.baseUrl}/sca/apps`);
    await look('psu-3-apps');
    expect(await page.locator('button[value=withdraw]').count()).toBe(3);
    expect(await page.locator('button[value=withdraw]').first().isVisible()).toBe(false);
    await confirm(page, 'withdraw');
    await page.waitForSelector('[role=status]');
    expect(await page.locator('button[value=withdraw]').count()).toBe(2);
    await look('psu-4-apps-withdrawn');
    await context.close();
  });

  it('a page framed by another site stays blank', async () => {
    const tpp = world.tpp();
    const psu = await world.person('1000.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const { scaRedirect } = await initiate(tpp, await tpp.applicationToken(), domesticPayment(iban));
    const context = await browser.newContext({ locale: language });
    const page = await context.newPage();
    await page.route('http://other.example/', async (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${scaRedirect}"></iframe>` }),
    );
    await page.goto('http://other.example/', { waitUntil: 'load' });
    const [, framed] = page.frames();
    expect(framed).toBeDefined();
    expect(await framed?.locator('form').count()).toBe(0);
    await context.close();
  });

  it('a payment can be signed with only the keyboard, and the focus is always visible', async () => {
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const psu = await world.person('1000.00');
    const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    const { context, page } = await visitor(browser, language, 360);
    await page.goto(payment.scaRedirect);
    /** Presses Tab until `selector` has the focus. The focus must be visible at every stop on the way. */
    const tabTo = async (selector: string): Promise<void> => {
      for (let stops = 0; stops < 20; stops += 1) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
        if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return;
      }
      throw new Error(`the keyboard does not reach ${selector}`);
    };
    await tabTo('[name=psuId]');
    await page.keyboard.type(psu.psuId);
    await tabTo('[name=password]');
    await page.keyboard.type(psu.password);
    await tabTo('[value=approve]');
    await page.keyboard.press('Enter');
    await atStep(page, 'review');
    await tabTo('[value=approve]');
    await page.keyboard.press('Space');
    await atStep(page, 'code');
    await tabTo('[name=otp]');
    await page.keyboard.type('123456');
    await page.keyboard.press('Enter');
    await page.waitForFunction('!document.querySelector("[name=otp]")');
    expect(await readStatus(tpp, token, payment.path)).toEqual({ transactionStatus: 'ACCP' });
    await context.close();
  });
});
