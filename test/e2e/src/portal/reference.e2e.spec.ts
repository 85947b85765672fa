import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { World } from '@xs2a/test-support/world';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../pages/screens.js';

let world: World;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  world = await World.ofLane();
  browser = await launchBrowser();
  page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

const open = async (path: string): Promise<void> => void (await page.goto(`${world.baseUrl}${path}`));
const hasRequests = (): boolean => {
  try {
    execFileSync('python3', ['-c', 'import requests'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const programs = {
  curl: ['bash', ['-euc']],
  Node: ['node', ['--input-type=module', '-e']],
  Python: ['python3', ['-c']],
} as const;
type Language = keyof typeof programs;

/** Runs an example of the page in one language, and returns what it prints. */
const run = async (language: Language, env: Readonly<Record<string, string>>): Promise<string> => {
  const code = (await page.locator(`.of-in-${language} pre`).textContent()) ?? '';
  const [program, args] = programs[language];
  return execFileSync(program, [...args, code], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
};

describe('the reference of the developer portal', () => {
  it('has a page for each operation of the description, and its overview links them all', async () => {
    const { paths } = (await (await fetch(`${world.baseUrl}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    const overview = await (await fetch(`${world.baseUrl}/reference`)).text();
    const [, main = ''] = overview.split('<main');
    const links = [...main.matchAll(/href="\/reference\/(\w+)"/g)].map(([, id]) => id);
    expect(links.toSorted()).toEqual([...ids, 'codes', 'explorer'].toSorted());
    const statuses = await Promise.all(
      ids.map(async (id) => (await fetch(`${world.baseUrl}/reference/${id}`)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('answers 404 for an operation that this bank does not have', async () => {
    for (const id of ['nothing', 'INITIATEPAYMENT', '__proto__'])
      expect((await fetch(`${world.baseUrl}/reference/${id}`)).status).toBe(404);
  });

  it('chooses the language of a request without a script', async () => {
    await open('/reference/initiatePayment');
    expect(await page.locator('.of-in-curl').isVisible()).toBe(true);
    await page.locator('label', { hasText: 'Python' }).click();
    expect(await page.locator('.of-in-curl').isVisible()).toBe(false);
    expect(await page.locator('.of-in-Python').isVisible()).toBe(true);
  });

  it('leads from a link to a field to the field', async () => {
    await open('/reference/initiatePayment#body-instructedAmount.currency');
    const text = await page.locator(':target').innerText();
    expect(text).toMatch(/instructedAmount\.currency[\s\S]*required[\s\S]*If wrong: 400 PAYMENT_FAILED/);
  });

  it.each(['curl', 'Node', ...(hasRequests() ? (['Python'] as const) : [])] as const)(
    'shows requests in %s that work as they are, now and after the clock has moved by 90 days',
    async (language) => {
      for (const days of ['PT0.001S', 'P90D']) {
        await world.advance(days);
        await open('/reference/token');
        const CLIENT = { CLIENT_ID: 'sandbox-tpp', CLIENT_SECRET: 'sandbox-tpp-secret' };
        const TOKEN = /"access_token":"([^"]+)"/.exec(await run(language, CLIENT))?.[1] ?? '';
        await open('/reference/initiatePayment');
        const created = await run(language, { TOKEN, KEY: randomUUID() });
        expect(created).toContain('"transactionStatus":"RCVD"');
        const PAYMENT_ID = /"paymentId":"([^"]+)"/.exec(created)?.[1] ?? '';
        await open('/reference/readPaymentStatus');
        expect(await run(language, { TOKEN, PAYMENT_ID })).toContain('"transactionStatus":"RCVD"');
        await open('/reference/cancelPayment');
        expect(await run(language, { TOKEN, PAYMENT_ID })).toMatch(/^(?:204)?\s*$/);
        await open('/reference/listConsents');
        expect(await run(language, { TOKEN })).toContain('tppMessages');
      }
    },
    60_000,
  );

  it('shows the request of a consent, which works', async () => {
    await open('/reference/createConsent');
    const TOKEN = await world.tpp().applicationToken('PSP_AI');
    expect(await run('curl', { TOKEN, KEY: randomUUID() })).toContain('"consentStatus":"received"');
  });

  it.each(['initiatePeriodicPayment', 'initiateBulkPayment'])(
    'shows the request of %s, which works',
    async (id) => {
      await open(`/reference/${id}`);
      const TOKEN = await world.tpp().applicationToken('PSP_PI');
      expect(await run('curl', { TOKEN, KEY: randomUUID() })).toContain('"transactionStatus":"RCVD"');
    },
  );
});
