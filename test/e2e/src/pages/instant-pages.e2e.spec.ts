// Lane: long (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initiate, type Initiated, readStatus } from '@xs2a/test-support/requests';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { keepGallery, launchBrowser, press, signIn, type Visitor, visitor, widths } from './screens.js';

let world: World;
let browser: Browser;

beforeAll(async () => {
  world = await World.start(undefined, 'bg-euro');
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
  keepGallery();
});

const path = '/v1/payments/instant-SEPA-credit-transfer';
const languages = ['en', 'bg'] as const;
type Language = (typeof languages)[number];

const readText = async (page: Page): Promise<string> =>
  ((await page.textContent('main')) ?? '').replaceAll(/\s+/g, ' ');

/** Initiates an instant payment without a return address, and opens its review. */
const review = async (
  { page }: Visitor,
  payee: string,
  creditorName = 'Иван Иванов',
): Promise<{ readonly payment: Initiated; readonly psu: FreshPsu }> => {
  const tpp = world.tpp();
  const psu = await world.person('1000.00');
  const body = {
    debtorAccount: { iban: psu.accounts[0]?.iban },
    instructedAmount: { currency: 'EUR', amount: '25.00' },
    creditorAccount: { iban: payee },
    creditorName,
    remittanceInformationUnstructured: 'Фактура 1',
  };
  const payment = await initiate(tpp, await tpp.applicationToken(), body, {}, path);
  await page.goto(payment.scaRedirect);
  await signIn(page, psu);
  await page.waitForSelector('[name=step][value=review]', { state: 'attached' });
  return { payment, psu };
};

const sign = async (page: Page): Promise<void> => {
  await press(page, 'approve');
  await page.fill('[name=otp]', '123456');
  await press(page, 'approve');
  await page.waitForSelector('.hero');
};

/** Keeps the page as it is while `look` runs, although the browser is to load it again. */
const unrenewed = async (page: Page, look: () => Promise<void>): Promise<void> => {
  const looked = Promise.withResolvers<void>();
  await page.route('**/sca/payment/**', async (route) => {
    await looked.promise;
    await route.continue();
  });
  await look();
  looked.resolve();
  await page.unroute('**/sca/payment/**');
};

const lookInDark = async ({ page, check }: Visitor, name: string): Promise<void> => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await check(`${name} in dark mode`);
  await page.emulateMedia({ colorScheme: null });
};

/** The texts of the euro contract (E7.3), by number. */
const payeeTexts: Readonly<Record<Language, readonly string[]>> = {
  bg: [
    'Името съвпада с титуляря на сметката.',
    'Името почти съвпада. Титулярят е Пример Примеров. Това ли е получателят?',
    'Внимание: името не съвпада с титуляря на сметката. Парите може да отидат у друг.',
    'Името не можа да бъде проверено. Уверете се сами, че сметката е на получателя.',
    'Банката плаща по IBAN. Ако одобрите въпреки това, тя не отговаря за грешен получател и може да не успее да върне парите.',
    'Фирмата Ви се е отказала от проверка на получателите в пакетни плащания.',
  ],
  en: [
    'The name matches the holder of the account.',
    'The name almost matches. The holder is Пример Примеров. Is this who you mean to pay?',
    'Warning: the name does not match the holder of the account. The money may go to somebody else.',
    'The name could not be checked. Make sure yourself that the account is the payee’s.',
    'The bank pays by IBAN. If you approve all the same, it is not liable for a wrong payee and may be unable to get the money back.',
    'Your company has opted out of payee checks in bulk payments.',
  ],
};
/** The numbers of the texts that a page shows. */
const textsOn = async (page: Page, language: Language): Promise<readonly number[]> => {
  const text = await readText(page);
  return payeeTexts[language].flatMap((one, index) => (text.includes(one) ? [index + 1] : []));
};

describe.each(languages)(
  'the review of an instant payment, in %s (contract 12, 15, E4.3, E7.2, E7.3)',
  (language) => {
    const words = {
      en: ['SEPA instant transfer', 'at once, within 10 seconds', 'Approve anyway'],
      bg: ['Незабавен превод SEPA', 'веднага, до 10 секунди', 'Одобрявам въпреки това'],
    }[language];

    it.each([
      ['payee-1-match', 'BG14XSBV92001000000101', [1]],
      ['payee-2-close-match', 'BG84XSBV92001000000102', [2, 5]],
      ['payee-3-no-match', 'BG57XSBV92001000000103', [3, 5]],
      ['payee-4-not-possible', 'BG30XSBV92001000000104', [4]],
    ] as const)('names type and time, and the result of the name check: %s', async (name, payee, texts) => {
      const visit = await visitor(browser, language, widths[0], widths[1], 320);
      const { page, context, look } = visit;
      await review(visit, payee);
      const text = await readText(page);
      for (const word of words.slice(0, 2)) expect(text).toContain(word);
      expect(await textsOn(page, language)).toEqual(texts);
      expect((await page.textContent('button.main'))?.trim() === words[2]).toBe(name === 'payee-3-no-match');
      await look(name);
      await lookInDark(visit, name);
      await context.close();
    });
  },
);

describe.each(languages)('the review of a bulk payment, in %s (contract E4.11, E7.3)', (language) => {
  const payees = ['101', '102', '103', '104'].map((last, index) => ({
    creditorAccount: { iban: ['BG14', 'BG84', 'BG57', 'BG30'][index] + `XSBV92001000000${last}` },
    creditorName: `Име ${last}`,
    instructedAmount: { currency: 'EUR', amount: '1234.50' },
    remittanceInformationUnstructured: 'Фактура 1',
  }));
  const review = async ({ page }: Visitor, more: object): Promise<void> => {
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const person = { name: 'Тест Тестов', accounts: [{ currency: 'EUR', opening: '9000.00' }], ...more };
    const psu = bodyOf<FreshPsu>(await tpp.call('POST', '/sandbox/psus', token, { json: person }), 201);
    const body = { debtorAccount: { iban: psu.accounts[0]?.iban }, payments: payees };
    const bulk = await initiate(tpp, token, body, {}, path.replace('/payments/', '/bulk-payments/'));
    await page.goto(bulk.scaRedirect);
    await signIn(page, psu);
    await page.waitForSelector('[name=step][value=review]', { state: 'attached' });
  };
  const total = { en: '€4,938.00', bg: '4\u00a0938,00\u00a0€' }[language];

  it('warns once for all payees, and marks each entry', async () => {
    const visit = await visitor(browser, language, widths[0], widths[1], 320);
    const { page, context, check } = visit;
    await review(visit, {});
    expect(await textsOn(page, language)).toEqual([2, 3, 4, 5]);
    expect(await page.textContent('main')).toContain(total);
    expect(await page.locator('[name=payeeWarningRead]').count()).toBe(1);
    await check('a bulk payment with payees of each result');
    await context.close();
  });

  it('says that the company has opted out of the check', async () => {
    const visit = await visitor(browser, language, widths[0], widths[1], 320);
    const { page, context, check } = visit;
    await review(visit, { corporateId: randomUUID().slice(0, 35), payeeVerificationOptOut: true });
    expect(await textsOn(page, language)).toEqual([6]);
    expect(await page.locator('[name=payeeWarningRead]').count()).toBe(0);
    await check('a bulk payment whose company has opted out');
    await context.close();
  });
});

describe('a warning that the payee’s name does not match', () => {
  it('is above the button, with the field that confirms it, to which the notice leads', async () => {
    const visit = await visitor(browser, 'en', widths[0]);
    const { page, context, check } = visit;
    await review(visit, 'BG57XSBV92001000000103');
    const place = async (selector: string): Promise<number> =>
      (await page.locator(selector).boundingBox())?.y ?? Number.NaN;
    const [alert, box, button] = [
      await place('.warning [role=alert]'),
      await place('.warning [name=payeeWarningRead]'),
      await place('button.main'),
    ];
    expect([alert < box, box < button]).toEqual([true, true]);
    await press(page, 'approve');
    await page.waitForSelector('[name=payeeWarningRead][aria-invalid]');
    await check('the warning was not confirmed');
    await page.check('[name=payeeWarningRead]');
    await sign(page);
    await page.waitForSelector('.hero.good');
    await context.close();
  });
});

describe.each<[Language, string, string, string, string]>([
  [
    'en',
    'This page renews itself',
    'The payee has the money.',
    'The transfer was not made. Your account was not charged.',
    'the payee’s bank is not available',
  ],
  [
    'bg',
    'Страницата се обновява сама',
    'Получателят има парите.',
    'Преводът не е изпълнен. Сметката Ви не е задължена.',
    'банката на получателя не е на разположение',
  ],
])(
  'the last page of an instant payment, in %s (contract 12, E7.2)',
  (language, renews, settled, failed, reason) => {
    it('renews itself until the payee’s bank, which is slow, has confirmed the payment', async () => {
      const visit = await visitor(browser, language, widths[0], widths[1]);
      const { page, context, look } = visit;
      const { payment } = await review(visit, 'BG46XSBV92001000000204');
      await sign(page);
      await unrenewed(page, async () => {
        expect(await readText(page)).toContain(renews);
        expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
        await look('instant-1-under-way');
      });
      await page.waitForSelector('.hero.good', { timeout: 15_000 });
      expect(await readText(page)).toContain(settled);
      await look('instant-2-settled');
      await lookInDark(visit, 'instant-2-settled');
      const tpp = world.tpp();
      expect(await readStatus(tpp, await tpp.applicationToken(), payment.path)).toMatchObject({
        transactionStatus: 'ACSC',
      });
      expect((await page.reload())?.headers()).not.toHaveProperty('refresh');
      await context.close();
    });

    it('says that the account was not charged, and why, if the payee’s bank is down; so does the list', async () => {
      const visit = await visitor(browser, language, widths[0], widths[1]);
      const { page, context, look } = visit;
      const { psu } = await review(visit, 'BG30XSBV92001000000201');
      await sign(page);
      await page.waitForSelector('.hero.bad', { timeout: 15_000 });
      const text = await readText(page);
      for (const words of [failed, reason]) expect(text).toContain(words);
      await look('instant-3-rejected');
      await lookInDark(visit, 'instant-3-rejected');
      await page.click('.links a[href="/sca/payments"]');
      await signIn(page, psu);
      await page.waitForSelector('ul.entries');
      expect(await readText(page)).toContain(reason);
      await context.close();
    });
  },
);
