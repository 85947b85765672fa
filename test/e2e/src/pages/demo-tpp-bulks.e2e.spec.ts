// Lane: long, first (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@xs2a/tpp-client/http';
import type { Browser, Page } from 'playwright-core';
import { demoWorld } from './demo-world.js';
import { look as open } from './page-visitor.js';
import { elsewhere } from '@xs2a/test-support/requests';
import { approveAtBank, keepGallery, launchBrowser, visitor, widths } from './screens.js';
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

const example = async (): Promise<string> => (await send('GET', `${demo}/bulks/examples/payments.csv`)).text;
const upload = async (page: Page, name: string, text: string): Promise<void> => {
  await page.goto(`${demo}/bulks`);
  await page.setInputFiles('[name=file]', { name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page.click('main button');
  await page.waitForURL(/\/bulks\/preview$/);
};
/** Returns the last line of each entry: its status in words and as returned by the API. */
const statuses = async (page: Page): Promise<string[]> =>
  (await page.locator('#entries .status .quiet').allTextContents()).map((text) => text.trim());
const makeCsv = (count: number, iban = elsewhere): string =>
  [
    'creditorName,creditorIban,amount,remittance,endToEndId',
    ...Array.from(
      { length: count },
      (_, index) => `Petar Ivanov,${iban},1.00,Invoice ${index + 1},E${index}`,
    ),
  ].join('\n');

describe('a bulk payment from a file at the demo TPP (contract 9)', () => {
  it('with five payments from CSV: shown, signed once, and each payment settled; at each width', async () => {
    const psu = await world.person('1000.00');
    const { context, page, look } = await visitor(browser, 'en', ...widths);
    await page.goto(`${demo}/bulks`);
    await look('demo-12-bulk');
    await upload(page, 'payments.csv', await example());
    expect(await page.locator('.entries > li').count()).toBe(5);
    expect(await page.getAttribute('dd > data', 'value')).toBe('168.24 BGN');
    await page.fill('[name=debtorIban]', psu.accounts[0]?.iban ?? '');
    await look('demo-13-bulk-preview');
    await page.click('main form button');
    await approveAtBank(page, psu);
    await page.waitForURL(/\/bulks\/[\w-]{36}$/);
    expect(await statuses(page)).toEqual(Array.from({ length: 5 }, () => 'ACCP'));
    await world.advance('PT1M');
    await page.locator('#state', { hasText: 'ACSC' }).waitFor();
    expect(await statuses(page)).toEqual(Array.from({ length: 5 }, () => 'ACSC'));
    await look('demo-14-bulk-done');
    await context.close();
  });

  it('with five payments from CSV: shows the payment that lacks funds as unpaid', async () => {
    const psu = await world.person('100.00');
    const { context, page } = await visitor(browser, 'en', 360);
    await upload(page, 'payments.csv', await example());
    await page.fill('[name=debtorIban]', psu.accounts[0]?.iban ?? '');
    await page.keyboard.press('Enter');
    await approveAtBank(page, psu);
    await page.waitForURL(/\/bulks\/[\w-]{36}$/);
    await world.advance('PT1M');
    await page.locator('#state', { hasText: 'PART' }).waitFor();
    expect(await statuses(page)).toEqual(['ACSC', 'ACSC', 'ACSC', 'ACSC', 'ACCP']);
    await context.close();
  });

  it('shows every error in the file by line before anything is sent, each with a link to its entry', async () => {
    const { context, page, look } = await visitor(browser, 'en', 360);
    const text = (await example())
      .replace('20.00', '20.0O')
      .replace('BG26RZBB', 'BG27RZBB')
      .replace('100.00', '9'.repeat(200))
      .replace('"Invoice 4"', '');
    await upload(page, 'payments.csv', text);
    const links = await page
      .locator('.notice li a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['#entry-1', '#entry-2', '#entry-4', '#entry-5']);
    expect(await page.locator('#entry-4 .faults li').textContent()).toContain('5');
    expect(await page.locator('[action="/bulks/send"]').count()).toBe(0);
    await look('demo-15-bulk-faults');
    await page.locator('.notice li a').last().press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('entry-5');
    await context.close();
  });

  it('shows an error from the bank next to its entry, and leaves the other entries unchanged', async () => {
    const psu = await world.person('1000.00');
    const { context, page, check } = await visitor(browser, 'en', 360);
    // The bank refuses a payment to one of its own IBANs that belongs to no account; the file alone does not
    // show this.
    const own = psu.accounts[0]?.iban ?? '';
    await upload(page, 'payments.csv', `${makeCsv(3)}\nMe,${own},1.00,To myself,E9`);
    await page.fill('[name=debtorIban]', own);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.entries .faults');
    const marked = await page
      .locator('.entries > li:has(.faults)')
      .evaluateAll((all) => all.map(({ id }) => id));
    expect(marked).toEqual(['entry-4']);
    expect(await page.getAttribute('.notice li a', 'href')).toBe('#entry-4');
    await check('bulk refused');
    await context.close();
  });

  it('with 250 payments on one page: signed once, then cancelled with the button', async () => {
    const psu = await world.person('1000.00');
    const { context, page, check } = await visitor(browser, 'en', 360, 1280);
    await upload(page, 'payments.csv', makeCsv(250));
    expect(await page.locator('.entries > li').count()).toBe(250);
    await page.fill('[name=debtorIban]', psu.accounts[0]?.iban ?? '');
    expect(await page.textContent('#entry-250')).toContain('Invoice 250');
    await check('bulk of 250');
    await page.click('main form button');
    await approveAtBank(page, psu);
    await page.waitForURL(/\/bulks\/[\w-]{36}$/);
    expect((await statuses(page)).filter((status) => status === 'ACCP')).toHaveLength(250);
    await page.click('#actions button');
    await page.locator('#state', { hasText: 'CANC' }).waitFor();
    await context.close();
  });
});

describe('uploads to the demo TPP', () => {
  const boundary = 'the-boundary-of-this-test';
  const post = async (cookie: string | undefined, csrf: string, file: Buffer, end = true) => {
    const head = (name: string, more = '') =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(`${head('csrf')}${csrf}\r\n${head('file', '; filename="x"')}`),
      file,
      Buffer.from(end ? `\r\n--${boundary}--\r\n` : ''),
    ]);
    const answer = await fetch(`${demo}/bulks`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, cookie: cookie ?? '' },
      body,
    });
    return answer.status;
  };

  it('do not crash it, even if empty, random, oversized or full of XML entities, or sent with a truncated or forged form', async () => {
    const { cookie, csrf } = await open(`${demo}/bulks`);
    const laughs = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><a>&b;</a>`;
    const files = ['', 'rubbish', laughs, '<a>'.repeat(50_000), 'x'.repeat(3 * 1024 * 1024)].map((text) =>
      Buffer.from(text),
    );
    const statuses: number[] = [];
    for (const file of files) {
      statuses.push(await post(cookie, csrf, file));
      statuses.push((await open(`${demo}/bulks/preview`, cookie)).status);
    }
    expect(statuses).toEqual([303, 303, 303, 200, 303, 200, 303, 200, 303, 200]);
    expect(await post(cookie, csrf, Buffer.from('a'), false)).toBe(403);
    expect(await post(cookie, 'other', Buffer.from('a'))).toBe(403);
    expect(await post(undefined, csrf, Buffer.from('a'))).toBe(403);
    expect((await send('GET', `${demo}/bulks/examples/none.csv`)).status).toBe(404);
  });
});
