// Lane: long (a part of the portal, with applications of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { World } from '@xs2a/test-support/world';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../pages/screens.js';

let world: World;
let browser: Browser;
beforeAll(async () => {
  world = await World.ofLane();
  browser = await launchBrowser();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

const policyOf = async (path: string): Promise<string> =>
  (await fetch(`${world.baseUrl}${path}`)).headers.get('content-security-policy') ?? '';

describe('the explorer of the developer portal', () => {
  it('calls the bank with the token that the user enters; it breaks no policy and loads nothing from elsewhere', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    const others: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(world.baseUrl))
        others.push(request.url());
    });
    await page.goto(`${world.baseUrl}/reference`);
    await page.getByRole('link', { name: 'Explorer' }).click();
    const operation = page.locator('#operations-Sandbox-readClock');
    await page.locator('#operations-tag-Sandbox').click();
    await operation.locator('.opblock-summary-control').click();
    const call = async (): Promise<string> => {
      await operation.getByRole('button', { name: 'Execute' }).click();
      const answer = operation.locator('.live-responses-table');
      await answer.waitFor();
      return answer.innerText();
    };
    expect(await call()).toContain('TOKEN_UNKNOWN');
    await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
    const dialog = page.locator('.dialog-ux');
    await dialog.locator('input').fill(await world.tpp().applicationToken());
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    const answered = page.waitForResponse(
      (response) => response.url() === `${world.baseUrl}/sandbox/clock` && response.status() === 200,
    );
    await operation.getByRole('button', { name: 'Execute' }).click();
    expect(await (await answered).json()).toEqual({ now: expect.any(String) });
    const refusal = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';
    expect(complaints.filter((text) => text !== refusal)).toEqual([]);
    expect(others).toEqual([]);
    await context.close();
  }, 60_000);

  it('has a policy of its own, without inline scripts and styles; no other page may call anything', async () => {
    const policy = await policyOf('/reference/explorer');
    expect(policy).toContain("script-src 'self'; ");
    expect(policy).toContain("style-src 'self'; ");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:/);
    for (const path of ['/', '/reference', '/collections', '/portal/explorer/swagger-ui.js'])
      expect([path, await policyOf(path)]).toEqual([path, expect.not.stringContaining('connect-src')]);
  });

  it('fits a phone, is light on dark where the reader prefers it, and says without scripts where the reference is', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${world.baseUrl}/reference/explorer`);
    expect(await plain.locator('main').innerText()).toContain('The explorer needs scripts.');
    await context.close();
    const phone = await browser.newContext({ viewport: { width: 360, height: 640 }, colorScheme: 'dark' });
    const page = await phone.newPage();
    await page.goto(`${world.baseUrl}/reference/explorer`);
    await page.locator('.opblock-tag').first().waitFor();
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(wide)).toBe(0);
    const ink = await page.evaluate<string>(`getComputedStyle(document.querySelector('.opblock-tag')).color`);
    expect(Number(/\d+/.exec(ink)?.[0])).toBeGreaterThan(200);
    await phone.close();
  });
});
