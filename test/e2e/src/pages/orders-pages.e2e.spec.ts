// Lane: long, first (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import type { Browser, Page } from 'playwright-core';
import {
  awayFromMidnight,
  bulkPath,
  bulkPayment,
  dayFrom,
  domesticPayment,
  initiate,
  type Initiated,
  periodicPath,
  periodicPayment,
  sandboxNow,
  readStatus,
  until,
} from '@xs2a/test-support/requests';
import { confirm, keepGallery, launchBrowser, press, signIn, visitor, widths } from './screens.js';
import { initiateForSeveral, startFor } from '@xs2a/test-support/several-signers';
import { World } from '@xs2a/test-support/world';

let world: World;
let browser: Browser;
let tpp: TppClient;
let token: string;
let today: string;

beforeAll(async () => {
  world = await World.ofLane();
  browser = await launchBrowser();
  tpp = world.tpp();
}, 60_000);
beforeEach(async () => {
  await awayFromMidnight(world);
  token = await tpp.applicationToken();
  today = dayFrom(await sandboxNow(world), 0);
});
afterAll(async () => {
  await browser.close();
  await world.stop();
  keepGallery();
});

const readText = async (page: Page): Promise<string> =>
  ((await page.textContent('main')) ?? '').replaceAll('\u00a0', ' ');
const atStep = async (page: Page, step: string): Promise<unknown> =>
  page.waitForSelector(`[name=step][value=${step}]`, { state: 'attached' });
const enterCode = async (page: Page): Promise<void> => {
  await page.fill('[name=otp]', '123456');
  await press(page, 'approve');
  await page.waitForFunction('!document.querySelector("form")');
};
const status = async ({ path }: { readonly path: string }): Promise<unknown> =>
  (await readStatus(tpp, token, path))['transactionStatus'];

const payees = ['Петър Иванов', 'Мария Георгиева-Александрова', 'Акме ЕООД', 'Petar Ivanov'];
/** Creates a bulk payment with this number of entries, of 1.01, 1.02 … BGN, with names and texts of various lengths. */
const makeBulk = (iban: string, count: number, changes: Readonly<Record<string, unknown>> = {}) => {
  const amounts = Array.from(
    { length: count },
    (_, index) => `1.${String((index % 99) + 1).padStart(2, '0')}`,
  );
  const { payments, ...body } = bulkPayment(iban, amounts);
  const entries = (payments as Record<string, unknown>[]).map((entry, index) => ({
    ...entry,
    creditorName: payees[index % payees.length],
    remittanceInformationUnstructured: `Заплата за месец ноември ${index + 1}`,
  }));
  return { ...body, payments: entries, ...changes };
};
const budgetEntry = {
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

/** Gives an entry the longest allowed name and amount, which must not overflow its box. */
const longEntry = (entry: Readonly<Record<string, unknown>>) => ({
  ...entry,
  creditorName: 'Дружество-с-много-дълго-име-без-нито-един-интервал-за-пренасяне-и-край',
  instructedAmount: { currency: 'BGN', amount: '90071992547000.00' },
});

const words = {
  bg: {
    order: ['Проверете периодичното плащане', '12,50 лв.', 'на 31 число', 'след 12 плащания', 'работен ден'],
    orderSigned: 'Одобрихте периодичното плащане',
    orderRefused: 'Не е създадено: Вие отказахте',
    bulk: ['Проверете плащанията', '62,75 лв.', 'положени 0 от 2', 'един запис за всички'],
    partly: 'Плащанията се изпълняват, когато подпишат всички.',
    before: 'Вече сте подписали тези плащания',
    bulkSigned: 'Одобрихте плащанията',
    budget: ['Превод към бюджета (пакетно плащане)', 'Иван Петров', 'ЕГН: 1234567890'],
    list: [
      'действа',
      'всеки месец',
      'Следващо плащане',
      'чака първото си плащане',
      'Petar Ivanov (първото от 2 плащания)',
    ],
    stopped: 'спряно от Вас',
  },
  en: {
    order: ['Check the standing order', 'BGN 12.50', 'on day 31', 'after 12 payments', 'next banking day'],
    orderSigned: 'You approved the standing order',
    orderRefused: 'Not set up: you refused',
    bulk: ['Check the payments', 'BGN 62.75', '0 of 2 made', 'one entry for all'],
    partly: 'The payments are made once everyone has signed.',
    before: 'You have already signed these payments',
    bulkSigned: 'You approved the payments',
    budget: ['Transfer to the budget (bulk payment)', 'Иван Петров', 'number: 1234567890'],
    list: [
      'active',
      'every month',
      'Next payment',
      'waiting for its first payment',
      'Petar Ivanov (first of 2 payments)',
    ],
    stopped: 'stopped by you',
  },
} as const;

describe.each(['bg', 'en'] as const)(
  'orders and bulk payments on the pages, in %s (contract 9, 12)',
  (language) => {
    const text = words[language];
    const expectTexts = async (page: Page, texts: readonly string[]): Promise<void> => {
      const shown = await readText(page);
      for (const one of texts) expect(shown).toContain(one);
    };

    it('a periodic order: review, code, result; and a refusal', async () => {
      const psu = await world.person('1000.00');
      const body = periodicPayment(psu.accounts[0]?.iban ?? '', dayFrom(await sandboxNow(world), 1), {
        dayOfExecution: '31',
        numberOfPayments: 12,
        executionRule: 'following',
      });
      const order = await initiate(tpp, token, body, {}, periodicPath);
      const { context, page, look } = await visitor(browser, language, ...widths);
      await page.goto(order.scaRedirect);
      await signIn(page, psu);
      await atStep(page, 'review');
      await expectTexts(page, text.order);
      await look('order-1-review');
      await press(page, 'approve');
      await atStep(page, 'code');
      await expectTexts(page, text.order.slice(1));
      await look('order-2-code');
      await enterCode(page);
      await expectTexts(page, [text.orderSigned]);
      await look('order-3-result');
      expect(await status(order)).toBe('ACCP');

      const refused = await initiate(tpp, token, body, {}, periodicPath);
      await page.goto(refused.scaRedirect);
      await press(page, 'refuse');
      await page.waitForFunction('!document.querySelector("form")');
      await expectTexts(page, [text.orderRefused]);
      expect(await status(refused)).toBe('RJCT');
      await context.close();
    });

    it('a bulk payment of 50 with two signers: both read every payment and sign, and all are settled', async () => {
      const corporate = await world.corporate(2, 2);
      const [first, second] = corporate.signers;
      if (first === undefined || second === undefined) throw new Error('two signers');
      const json = makeBulk(corporate.iban, 50, { batchBookingPreferred: true });
      const bulk = await initiateForSeveral(tpp, token, corporate.iban, {}, { at: bulkPath, json });
      const startAndLink = async (psu: typeof first) => (await startFor(tpp, token, bulk, psu)).scaRedirect;
      const [link, again, ofSecond] = [
        await startAndLink(first),
        await startAndLink(first),
        await startAndLink(second),
      ];
      const { context, page, look } = await visitor(browser, language, ...widths);
      await page.goto(link);
      await signIn(page, first);
      await atStep(page, 'review');
      await expectTexts(page, text.bulk);
      expect(await page.locator('ol.payments > li').count()).toBe(50);
      await look('bulk-1-review');
      await press(page, 'approve');
      await atStep(page, 'code');
      expect(await page.locator('ol.payments').isVisible()).toBe(false);
      await look('bulk-2-code');
      await page.click('summary');
      expect(await page.locator('ol.payments > li').last().textContent()).toContain('50');
      await enterCode(page);
      await expectTexts(page, [text.partly]);
      await look('bulk-3-first-signed');
      await page.goto(again);
      await signIn(page, first);
      await page.waitForFunction('!document.querySelector("form")');
      await expectTexts(page, [text.before]);
      expect(await status(bulk)).toBe('PATC');

      await page.goto(ofSecond);
      await signIn(page, second);
      await atStep(page, 'review');
      await press(page, 'approve');
      await atStep(page, 'code');
      await enterCode(page);
      await expectTexts(page, [text.bulkSigned]);
      await look('bulk-4-both-signed');
      await world.advance('PT1M1S');
      await until(
        () => status(bulk),
        (now) => now === 'ACSC',
      );
      await context.close();
    });

    it('a bulk payment of 250 budget payments: three in view, the others in a fold that the keyboard opens', async () => {
      const psu = await world.person('1000.00');
      const iban = psu.accounts[0]?.iban ?? '';
      const { debtorAccount: _own, ...entry } = domesticPayment(iban, '1.00', budgetEntry);
      const json = {
        debtorAccount: { iban },
        payments: [longEntry(entry), ...Array.from({ length: 249 }, () => entry)],
      };
      const at = '/v1/bulk-payments/domestic-budget-transfer-BGN';
      const bulk = await initiate(tpp, token, json, {}, at);
      const { context, page, look } = await visitor(browser, language, ...widths);
      await page.goto(bulk.scaRedirect);
      await signIn(page, psu);
      await atStep(page, 'review');
      await expectTexts(page, text.budget);
      const payments = page.locator('ol.payments > li');
      expect(await payments.count()).toBe(250);
      expect([await payments.nth(2).isVisible(), await payments.nth(3).isVisible()]).toEqual([true, false]);
      await look('bulk-5-budget');
      for (
        let stops = 0;
        !(await page.evaluate('document.activeElement.matches("ol.payments + details > summary")'));
        stops += 1
      ) {
        if (stops > 10) throw new Error('the keyboard does not reach the fold');
        await page.keyboard.press('Tab');
      }
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      await page.keyboard.press('Enter');
      await payments.last().waitFor({ state: 'visible' });
      await context.close();
    });

    it('the list: shows schedules, next execution days and totals', async () => {
      const psu = await world.person('1000.00');
      const iban = psu.accounts[0]?.iban ?? '';
      const { context, page, look } = await visitor(browser, language, ...widths);
      const submitted = [
        { at: periodicPath, body: periodicPayment(iban, today) },
        {
          at: periodicPath,
          body: periodicPayment(iban, dayFrom(await sandboxNow(world), 9), { frequency: 'Weekly' }),
        },
        { at: bulkPath, body: bulkPayment(iban, ['600.00', '500.00']) },
      ];
      const signed: Initiated[] = [];
      for (const { at, body } of submitted) {
        const payment = await initiate(tpp, token, body, {}, at);
        await page.goto(payment.scaRedirect);
        await signIn(page, psu);
        await atStep(page, 'review');
        await press(page, 'approve');
        await atStep(page, 'code');
        await enterCode(page);
        signed.push(payment);
      }
      await world.advance('PT1M1S');
      await until(
        async () => Promise.all(signed.map(status)),
        (all) => all.join() === 'ACSP,ACCP,PART',
      );
      await page.goto(`${world.baseUrl}/sca/payments`);
      await signIn(page, psu);
      await page.waitForSelector('.entries');
      await expectTexts(page, text.list);
      await look('psu-5-orders');

      expect(await page.locator('button[value=stop]').count()).toBe(2);
      await confirm(page, 'stop');
      await page.waitForSelector('[role=status]');
      await expectTexts(page, [text.stopped]);
      await look('psu-6-order-stopped');
      expect(await page.locator('button[value=stop]').count()).toBe(1);
      const [running, weekly] = [await status(signed[0] as Initiated), await status(signed[1] as Initiated)];
      expect([running, weekly].sort()).toEqual(expect.arrayContaining(['CANC']));
      await context.close();
    });
  },
);
