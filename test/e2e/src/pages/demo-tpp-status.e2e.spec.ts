import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@xs2a/tpp-client/http';
import { publishedKeys } from '@xs2a/tpp-client/notification-signature';
import { generateKeyPairSync, sign } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { demoWorld } from './demo-world.js';
import { approveAtBank, launchBrowser } from './screens.js';
import { sandboxNow } from '@xs2a/test-support/requests';
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
});

/** Opens the page of a payment that was just signed at the bank, under the page's own Content-Security-Policy. */
const signedPayment = async (options: BrowserContextOptions = {}): Promise<Page> => {
  const psu = await world.person('1000.00');
  const context = await browser.newContext({ locale: 'en', ...options });
  const page = await context.newPage();
  await page.goto(`${demo}/pay`);
  await page.fill('[name=debtorIban]', psu.accounts[0]?.iban ?? '');
  await page.fill('[name=amount]', '12.50');
  await page.keyboard.press('Enter');
  await approveAtBank(page, psu);
  await page.waitForURL(/\/payments\/[\w-]+$/);
  return page;
};
const stateWith = async (page: Page, text: string): Promise<void> =>
  page.locator('#state').filter({ hasText: text }).waitFor();

describe('the payment status on an open page of the demo TPP (contract 11)', () => {
  it('updates without a reload, through one script that the page’s policy allows', async () => {
    const page = await signedPayment();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.evaluate('globalThis.isSamePage = true');
    await stateWith(page, 'ACCP');
    // Exceeds the clock difference that the demo TPP accepts in a signature.
    await world.advance('PT1H');
    await stateWith(page, 'ACSC');
    expect(await page.textContent('#state')).toContain('carried out');
    expect(await page.locator('#actions a').count()).toBe(0);
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is shown after a reload if JavaScript is disabled', async () => {
    const page = await signedPayment({ javaScriptEnabled: false });
    await stateWith(page, 'ACCP');
    await world.advance('PT1M');
    await page.click('#actions a');
    await stateWith(page, 'ACSC');
    await page.context().close();
  });

  it('is sent only to the browser of the user who made the payment', async () => {
    const page = await signedPayment();
    const path = await page.getAttribute('main', 'data-events');
    expect(path).toMatch(/^\/payments\/[\w-]+\/events\?after=\d+$/);
    expect((await send('GET', `${demo}${path}`)).status).toBe(404);
    await page.context().close();
  });
});

describe('a notification not signed by the bank (contract 11)', () => {
  const post = async (body: string, signature?: string): Promise<number> => {
    const headers = {
      'content-type': 'application/json',
      ...(signature === undefined ? {} : { 'x-jws-signature': signature }),
    };
    return (await fetch(`${demo}/notifications`, { method: 'POST', headers, body })).status;
  };

  it('is refused if it has no signature, a broken one, or one made with another key under the bank’s key id', async () => {
    const body = JSON.stringify({ paymentId: 'one', transactionStatus: 'ACSC' });
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const [bankKey] = await publishedKeys(world.baseUrl);
    const signedAs = (header: object): string => {
      const encoded = Buffer.from(JSON.stringify(header)).toString('base64url');
      const content = Buffer.from(`${encoded}.${Buffer.from(body).toString('base64url')}`);
      const value = sign('sha256', content, { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${encoded}..${value.toString('base64url')}`;
    };
    const iat = Math.floor(Date.parse(await sandboxNow(world)) / 1000);
    const signatures = [
      undefined,
      '',
      'a..b',
      'e30..e30',
      signedAs({ alg: 'ES256', kid: bankKey?.kid, iat }),
      signedAs({ alg: 'ES256', kid: 'unknown', iat }),
      signedAs({ alg: 'none', kid: bankKey?.kid, iat }),
    ];
    for (const signature of signatures) expect(await post(body, signature)).toBe(401);
    expect(await post('', signatures.at(-1))).toBe(401);
  });
});
