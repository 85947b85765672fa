// Lane: long (a reader of the portal, from the first page to the last).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { execFileSync } from 'node:child_process';
import { get } from 'node:http';
import type { Browser } from 'playwright-core';
import { launchBrowser, visitor, type Visitor } from '../pages/screens.js';

let world: World;
let browser: Browser;
let visit: Visitor;
beforeAll(async () => {
  world = await World.start();
  browser = await launchBrowser();
  visit = await visitor(browser, 'en', 320, 360, 1280);
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** One page of each kind. */
const pages = [
  '/',
  '/guides',
  '/guides/get-a-token',
  '/guides/test-your-tpp',
  '/guides/sign-in-a-test',
  '/guides/verify-a-notification',
  '/guides/follow-a-payment',
  '/guides/read-accounts',
  '/guides/generate-a-client',
  '/guides/present-a-certificate',
  '/guides/go-live',
  '/guides/profiles',
  '/reference',
  '/reference/initiatePayment',
  '/reference/token',
  '/collections',
  '/errors',
  '/errors/FORMAT_ERROR',
  '/events',
  '/changelog',
  '/search?q=token',
  '/status',
  '/portal/unknown',
] as const;
const open = async (path: string): Promise<Response> => fetch(`${world.baseUrl}${path}`);

/** The status of a path that is sent as it is; fetch would resolve its dots. */
const statusOf = async (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(world.baseUrl, { path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });

describe('the developer portal (contract 1)', () => {
  it.each(pages)('%s can be read by everybody, in light and dark, on a phone and on a desk', async (path) => {
    const { page, check } = visit;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${world.baseUrl}${path}`);
      await check(`portal ${path} ${colorScheme}`);
    }
  });

  it.each(pages)('%s works without scripts, and moves nothing while it loads', async (path) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${world.baseUrl}${path}`);
    expect(await plain.locator('h1').count()).toBe(1);
    expect(await plain.locator('header nav a').count()).toBeGreaterThan(0);
    await context.close();
    const { page } = visit;
    await page.goto(`${world.baseUrl}${path}`);
    const shifts = await page.evaluate(
      `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().length))
        .observe({ type: 'layout-shift', buffered: true }) || requestAnimationFrame(() => requestAnimationFrame(() => resolve(0))))`,
    );
    expect(shifts).toBe(0);
  });

  it.each(pages)('%s loads less than 60 kB at a first visit, and nothing from elsewhere', async (path) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    let bytes = 0;
    const others: string[] = [];
    page.on('response', (response) => {
      if (!response.url().startsWith(world.baseUrl)) others.push(response.url());
    });
    page.on('requestfinished', async (request) => {
      const { responseBodySize } = await request.sizes();
      bytes += responseBodySize;
    });
    await page.goto(`${world.baseUrl}${path}`, { waitUntil: 'networkidle' });
    await context.close();
    expect(others).toEqual([]);
    expect(bytes).toBeGreaterThan(500);
    expect(bytes).toBeLessThan(60_000);
  });

  it.each([...pages, '/portal/style.css'])(
    '%s runs only scripts of its own origin, and is in no frame',
    async (path) => {
      const { headers } = await open(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'; ");
      expect(policy).not.toMatch(/unsafe|data:|https?:/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-sandbox-clock')).not.toBeNull();
    },
  );

  it('escapes the address of an unknown page, and answers 404', async () => {
    const response = await open('/portal/%3Cscript%3Ealert(1)%3C/script%3E?x=%3Cimg%20src=x%3E');
    expect(response.status).toBe(404);
    expect(await response.text()).not.toMatch(/<script>alert|<img/);
  });

  it('has the page that the Link of an error names, and none for other codes (contract 3)', async () => {
    const refused = await open('/v1/accounts');
    expect(refused.headers.get('link')).toBe(`<${world.baseUrl}/errors/TOKEN_UNKNOWN>; rel="help"`);
    const shown = await open('/errors/TOKEN_UNKNOWN');
    expect([shown.status, await shown.text()]).toEqual([
      200,
      expect.stringContaining('<h1>TOKEN_UNKNOWN</h1>'),
    ]);
    expect((await open('/errors/NO_SUCH_CODE')).status).toBe(404);
    expect((await open('/health/live')).headers.get('link')).toBeNull();
  });

  it('finds what a reader searches for, without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(world.baseUrl);
    await plain.getByRole('searchbox').fill('FORMAT_ERROR');
    await plain.keyboard.press('Enter');
    await plain.getByRole('link', { name: 'FORMAT_ERROR' }).first().click();
    expect(new URL(plain.url()).pathname).toBe('/errors/FORMAT_ERROR');
    await context.close();
  });

  it.each(['', '?q=', '?q=a&q=b', '?q[x]=y', `?q=${'x'.repeat(2000)}`, '?q=%3Cscript%3E', '?q=%00'])(
    'answers any query with a page: /search%s',
    async (query) => {
      const response = await open(`/search${query}`);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain('<script>');
    },
  );

  it('is where /docs leads', async () => {
    const { status, headers } = await fetch(`${world.baseUrl}/docs`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, '/reference']);
  });

  it('has its guides as text for language models, with the address of this bank', async () => {
    const response = await open('/llms.txt');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^# XS2A interface\n/);
    const links = text.match(/(?<=\]\()http:[^)\s#]+/g) ?? [];
    expect(links.length).toBeGreaterThan(30);
    const statuses = await Promise.all([...new Set(links)].map(async (link) => (await fetch(link)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('has no path that leaves its sections', async () => {
    for (const path of [
      '/portal/%2e%2e/health/live',
      '/status/..%2fv1/payments',
      '/portal/..%5c..%5cmetrics',
    ]) {
      const status = await statusOf(path);
      expect([path, status]).toEqual([path, 404]);
    }
  });

  it.each(['POST', 'PUT', 'DELETE'])('refuses %s with 405 and Allow', async (method) => {
    const { status, headers } = await fetch(`${world.baseUrl}/`, { method });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('gives the commands of a first payment, which work as they are', async () => {
    const { page } = visit;
    await page.goto(world.baseUrl);
    const [token = '', create = '', settle = '', read = ''] = await page
      .locator('.steps pre')
      .allInnerTexts();
    const run = (command: string, known: Readonly<Record<string, string>> = {}): string =>
      execFileSync('bash', ['-euc', command], { encoding: 'utf8', env: { ...process.env, ...known } });
    const parse = (text: string) => JSON.parse(text) as Readonly<Record<string, never>>;
    const TOKEN: string = parse(run(token))['access_token'] ?? '';
    const created = parse(run(create.replace('the access_token', TOKEN)));
    const PAYMENT_ID: string = created['paymentId'] ?? '';
    const url = Reflect.get(Object(Reflect.get(Object(created['_links']), 'scaRedirect')), 'href') as string;
    const names = await page.locator('.steps li', { hasText: 'scaRedirect' }).locator('code').allInnerTexts();
    expect(names).toEqual(['_links.scaRedirect.href', 'ivan', 'sandbox', '123456']);
    await walkAndApprove(world.browser(), url, { psuId: 'ivan', password: 'sandbox' });
    expect(run(settle.replace('the paymentId', PAYMENT_ID), { TOKEN })).toBe('');
    expect(parse(run(read, { TOKEN, PAYMENT_ID }))['transactionStatus']).toBe('ACSC');
  });

  it('shows the time of the sandbox and by how much its users have moved the clock', async () => {
    const { page } = visit;
    await page.goto(world.baseUrl);
    expect(await page.locator('#clock + p').innerText()).toContain('as everywhere else');
    await world.advance('P2D');
    await page.reload();
    const text = await page.locator('#clock + p').innerText();
    expect(text).toMatch(/moved its clock forward by 2 d/);
  });

  it('says on its status page which part does not work while a service is down', async () => {
    const { page } = visit;
    await page.goto(`${world.baseUrl}/status`);
    expect(await page.locator('.pill.problem').count()).toBe(0);
    const { pid } = world.sandbox.services['funds-confirmation'];
    process.kill(pid, 'SIGSTOP');
    const wrong = async (): Promise<string[]> => {
      await page.reload();
      return page.locator('.states li', { hasText: 'Does not work' }).locator('b').allInnerTexts();
    };
    try {
      expect(await until(wrong, (names) => names.length > 0)).toEqual(['Funds confirmation']);
      await visit.check('portal status with a problem');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await until(wrong, (names) => names.length === 0);
  });

  it('answers 503 with a page and Retry-After while the portal is down; the interface still works', async () => {
    const { pid } = world.sandbox.services.portal;
    process.kill(pid, 'SIGSTOP');
    try {
      const response = await open('/');
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.text()).toContain('temporarily unavailable');
      expect((await open('/openapi.json')).status).toBe(200);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect((await open('/')).status).toBe(200);
  });
});
