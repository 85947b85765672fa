// Lane: long, first (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import type { Browser, Page } from 'playwright-core';
import {
  bulkPath,
  bulkPayment,
  consentBody,
  createConsent,
  dayFrom,
  domesticPayment,
  initiate,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import { keepGallery, launchBrowser, press, signIn, visitor, widths } from './screens.js';
import { initiateForSeveral, startFor } from '@xs2a/test-support/several-signers';
import { World } from '@xs2a/test-support/world';

let world: World;
let browser: Browser;
let tpp: TppClient;
let token: string;

beforeAll(async () => {
  world = await World.ofLane();
  browser = await launchBrowser();
  tpp = world.tpp();
}, 60_000);
beforeEach(async () => {
  token = await tpp.applicationToken();
});
afterAll(async () => {
  await browser.close();
  await world.stop();
  keepGallery();
});

const budgetPath = '/v1/payments/domestic-budget-transfer-BGN';
const toBudget = (iban: string, amount: string) =>
  domesticPayment(iban, amount, {
    creditorAccount: { iban: 'BG88BNBG96618000195001' },
    creditorName: 'НАП',
    remittanceInformationUnstructured: 'Данък общ доход',
    ultimateDebtor: 'Акме ЕООД',
    purposeCode: 'GOVT',
    budgetPaymentDetails: { regulatoryReportType: '4', obligedPersonName: 'Иван Петров' },
  });

interface Basket {
  readonly path: string;
  readonly links: Readonly<Record<string, { readonly href: string }>>;
}
const createBasketFrom = async (json: {
  readonly paymentIds?: readonly string[];
  readonly consentIds?: readonly string[];
}): Promise<Basket> => {
  const answer = await tpp.call('POST', '/v1/signing-baskets', token, { json });
  if (answer.status !== 201) throw new Error(`POST basket answered ${answer.status}: ${answer.text}`);
  const { basketId, _links } = parseJson<{ basketId: string; _links: Basket['links'] }>(answer);
  return { path: `/v1/signing-baskets/${basketId}`, links: _links };
};
const getPageUrl = ({ links }: Basket): string => links['scaRedirect']?.href ?? '';
/** Returns the status of the basket, followed by the status of each item. */
const readStatuses = async ({ path }: Basket): Promise<unknown[]> => {
  const { transactionStatus, items } = parseJson<{
    transactionStatus: string;
    items: { transactionStatus?: string; consentStatus?: string }[];
  }>(await tpp.call('GET', path, token));
  return [transactionStatus, ...items.map((item) => item.transactionStatus ?? item.consentStatus)];
};
/** Creates a single payment, a budget payment and a bulk payment with two entries: 122.50 BGN in total. */
const threePayments = async (iban: string): Promise<string[]> => {
  const bulk = bulkPayment(iban, ['7.00', '3.00']);
  return [
    (await initiate(tpp, token, domesticPayment(iban, '12.50'))).paymentId,
    (await initiate(tpp, token, toBudget(iban, '100.00'), {}, budgetPath)).paymentId,
    (await initiate(tpp, token, bulk, {}, bulkPath)).paymentId,
  ];
};
const consentFor = async (psuId: string, iban: string): Promise<string> => {
  const body = consentBody([iban], dayFrom(await sandboxNow(world), 30));
  return parseJson<{ consentId: string }>(await createConsent(tpp, psuId, body)).consentId;
};

const readText = async (page: Page): Promise<string> =>
  ((await page.textContent('main')) ?? '').replaceAll(/\s+/g, ' ');
const atStep = async (page: Page, step: string): Promise<unknown> =>
  page.waitForSelector(`[name=step][value=${step}]`, { state: 'attached' });
const atEnd = async (page: Page): Promise<unknown> => page.waitForFunction('!document.querySelector("form")');
const enterCode = async (page: Page): Promise<void> => {
  await atStep(page, 'code');
  await page.fill('[name=otp]', '123456');
  await press(page, 'approve');
  await atEnd(page);
};

const words = {
  bg: {
    sums: ['122,50 лв.', '12,50 лв.', '100,00 лв.', '7,00 лв.', '3,00 лв.'],
    payments: 'Sandbox TPP иска да наредите няколко плащания',
    budget: 'Задължено лице: Иван Петров',
    signed: 'Одобрихте плащанията',
    mixed: 'Проверете какво подписвате',
    mixedSigned: 'може да чете сметките, които одобрихте',
    consents: 'Прегледайте достъпа',
    refused: 'Не са преведени пари.',
    expired: 'Връзката е изтекла',
    half: 'положени 0 от 2',
    partly: 'Плащанията се изпълняват, когато подпишат всички.',
    before: 'Вече сте подписали тези плащания',
  },
  en: {
    sums: ['BGN 122.50', 'BGN 12.50', 'BGN 100.00', 'BGN 7.00', 'BGN 3.00'],
    payments: 'Sandbox TPP asks you to make several payments',
    budget: 'Obliged person: Иван Петров',
    signed: 'You approved the payments',
    mixed: 'Check what you sign',
    mixedSigned: 'can read the accounts that you approved',
    consents: 'Review the access',
    refused: 'No money has moved.',
    expired: 'This link has expired',
    half: '0 of 2 made',
    partly: 'The payments are made once everyone has signed.',
    before: 'You have already signed these payments',
  },
} as const;

describe.each(['bg', 'en'] as const)('a signing basket on the pages, in %s (contract 10, 12)', (language) => {
  const text = words[language];
  const expectTexts = async (page: Page, texts: readonly string[]): Promise<void> => {
    const shown = await readText(page);
    for (const one of texts) expect(shown).toContain(one);
  };

  it('with three payments: each is reviewed, one code signs all, and all are settled; at each width', async () => {
    const psu = await world.person('1000.00');
    const basket = await createBasketFrom({ paymentIds: await threePayments(psu.accounts[0]?.iban ?? '') });
    const { context, page, look, check } = await visitor(browser, language, ...widths);
    await page.goto(getPageUrl(basket));
    await signIn(page, psu);
    await atStep(page, 'review');
    await expectTexts(page, [text.payments, text.budget, ...text.sums]);
    expect(await page.locator('ol.payments > li').count()).toBe(4);
    await look('basket-1-review');
    await press(page, 'approve');
    await atStep(page, 'code');
    await expectTexts(page, [text.sums[0]]);
    expect(await page.locator('ol.payments').isVisible()).toBe(false);
    await page.focus('summary');
    await page.keyboard.press('Enter');
    expect(await page.locator('ol.payments > li').last().isVisible()).toBe(true);
    await check('basket, code');
    await enterCode(page);
    await expectTexts(page, [text.signed]);
    await check('basket, signed');
    expect(await readStatuses(basket)).toEqual(['ACTC', 'ACCP', 'ACCP', 'ACCP']);
    await world.advance('PT1M1S');
    await until(
      () => readStatuses(basket),
      (all) => all.every((status) => status === 'ACSC'),
    );
    await context.close();
  });

  it('with more than 250 payments: lists them in parts, linked from the review and code pages', async () => {
    const psu = await world.person('1000.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const long = bulkPayment(iban, Array<string>(250).fill('0.10'));
    const basket = await createBasketFrom({
      paymentIds: [
        (await initiate(tpp, token, domesticPayment(iban, '12.50'))).paymentId,
        (await initiate(tpp, token, long, {}, bulkPath)).paymentId,
        (await initiate(tpp, token, bulkPayment(iban, ['7.00', '3.00']), {}, bulkPath)).paymentId,
      ],
    });
    const { context, page, check } = await visitor(browser, language, ...widths);
    const readParts = async (): Promise<string[]> => page.locator('nav.parts > *').allInnerTexts();
    await page.goto(getPageUrl(basket));
    await signIn(page, psu);
    await atStep(page, 'review');
    expect(await readParts()).toEqual(['1', '2–251', '252–253']);
    expect(await page.locator('ol.payments > li').count()).toBe(1);
    await check('basket of parts, review');
    await page.focus('nav.parts a >> nth=-1');
    await page.keyboard.press('Enter');
    await page.waitForURL(/page=3/);
    await expectTexts(page, text.sums.slice(3));
    expect(await page.locator('ol.payments > li').count()).toBe(2);
    await check('basket of parts, last part');
    await press(page, 'approve');
    await atStep(page, 'code');
    expect(await page.locator('ol.payments').isVisible()).toBe(false);
    await page.click('summary');
    await page.click('nav.parts a >> nth=-1');
    await page.waitForURL(/page=3/);
    expect(await page.locator('ol.payments > li').last().isVisible()).toBe(true);
    await check('basket of parts, code');
    await enterCode(page);
    await expectTexts(page, [text.signed]);
    expect(await readStatuses(basket)).toEqual(['ACTC', 'ACCP', 'ACCP', 'ACCP']);
    await context.close();
  });

  it('describes its items as payments and account access requests, or only as account access requests', async () => {
    const psu = await world.person('100.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const { context, page, check } = await visitor(browser, language, ...widths);
    const { paymentId } = await initiate(tpp, token, domesticPayment(iban));
    const mixed = await createBasketFrom({
      paymentIds: [paymentId],
      consentIds: [await consentFor(psu.psuId, iban)],
    });
    await page.goto(getPageUrl(mixed));
    await signIn(page, psu);
    await atStep(page, 'review');
    await expectTexts(page, [text.mixed]);
    await check('basket of a payment and a consent');
    await press(page, 'approve');
    await enterCode(page);
    await expectTexts(page, [text.mixedSigned]);
    expect(await readStatuses(mixed)).toEqual(['ACTC', 'ACCP', 'valid']);

    const consents = await createBasketFrom({ consentIds: [await consentFor(psu.psuId, iban)] });
    await page.goto(getPageUrl(consents));
    await signIn(page, psu);
    await atStep(page, 'review');
    await expectTexts(page, [text.consents]);
    expect(await readText(page)).not.toContain(text.mixed);
    await context.close();
  });

  it('rejects every item after a refusal or expiry, and the page says which', async () => {
    const psu = await world.person('100.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const { context, page, check } = await visitor(browser, language, ...widths);
    const refused = await createBasketFrom({ paymentIds: await threePayments(iban) });
    await page.goto(getPageUrl(refused));
    await signIn(page, psu);
    await atStep(page, 'review');
    await press(page, 'refuse');
    await atEnd(page);
    await expectTexts(page, [text.refused]);
    await check('basket refused');
    expect(await readStatuses(refused)).toEqual(['RJCT', 'RJCT', 'RJCT', 'RJCT']);

    const expired = await createBasketFrom({ paymentIds: await threePayments(iban) });
    await world.advance('PT15M1S');
    token = await tpp.applicationToken();
    await page.goto(getPageUrl(expired));
    await expectTexts(page, [text.expired]);
    await check('basket expired');
    await until(
      () => readStatuses(expired),
      (all) => all.every((status) => status === 'RJCT'),
    );
    await context.close();
  });

  it('for a company: both signers sign; one who returns after signing sees only a notice', async () => {
    const corporate = await world.corporate(2, 2);
    const [first, second] = corporate.signers;
    if (first === undefined || second === undefined) throw new Error('two signers');
    const payments = [
      await initiateForSeveral(tpp, token, corporate.iban),
      await initiateForSeveral(tpp, token, corporate.iban),
    ];
    const basket = await createBasketFrom({ paymentIds: payments.map(({ id }) => id) });
    const startPath = basket.links['startAuthorisation']?.href ?? '';
    const startAndLink = async (psu: typeof first) =>
      (await startFor(tpp, token, { startPath }, psu)).scaRedirect;
    const [link, again, ofSecond] = [
      await startAndLink(first),
      await startAndLink(first),
      await startAndLink(second),
    ];
    const { context, page, check } = await visitor(browser, language, ...widths);
    await page.goto(link);
    await signIn(page, first);
    await atStep(page, 'review');
    await expectTexts(page, [text.half]);
    await press(page, 'approve');
    await enterCode(page);
    await expectTexts(page, [text.partly]);
    await page.goto(again);
    await signIn(page, first);
    await atEnd(page);
    await expectTexts(page, [text.before]);
    await check('basket, signed before');
    expect(await readStatuses(basket)).toEqual(['PATC', 'RCVD', 'RCVD']);
    await page.goto(ofSecond);
    await signIn(page, second);
    await atStep(page, 'review');
    await press(page, 'approve');
    await enterCode(page);
    await expectTexts(page, [text.signed]);
    expect(await readStatuses(basket)).toEqual(['ACTC', 'ACCP', 'ACCP']);
    await context.close();
  });
});
