import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { World } from '@xs2a/test-support/world';
import type { Browser } from 'playwright-core';
import { launchBrowser, type Visitor } from '../pages/screens.js';
import { openAs, shows } from './staff-page.js';

type ServiceName = keyof World['sandbox']['services'];

/** Defines a test for each of these services: frozen, it is named on Now, and the command shown there restarts it. */
export const namesFrozen = (services: readonly Exclude<ServiceName, 'console'>[]): void => {
  let world: World;
  let browser: Browser;
  let visit: Visitor;

  beforeAll(async () => {
    world = await World.around({ console: {} });
    browser = await launchBrowser();
    visit = await openAs({ browser, url: world.sandbox.consoleUrl ?? '' }, 'ivanova', '/now');
    await shows(visit.page, 'all is well');
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it.each(services)(
    'names %s within ten seconds while it hangs, shows where, and is repaired by the command it shows',
    async (service) => {
      const { page, check } = visit;
      await page.goto(`${world.sandbox.consoleUrl}/now`);
      const { pid } = world.sandbox.services[service];
      process.kill(pid, 'SIGSTOP');
      const card = page.locator('article.is-problem', { hasText: `${service} does not answer` });
      await card.waitFor({ timeout: 10_000 });
      await check(`now-frozen-${service}`);
      const repair = card.locator('p', { hasText: 'Repair with npm start' }).locator('code');
      expect(await repair.innerText()).toBe(`kill -9 ${pid}`);
      await page.goto(`${world.sandbox.consoleUrl}/services`);
      const row = page.locator('section[aria-label=Processes] tr', { hasText: String(pid) });
      expect(await row.innerText()).toMatch(/silent/);
      await page.goto(`${world.sandbox.consoleUrl}/now`);
      process.kill(pid, 'SIGKILL');
      await card.waitFor({ state: 'detached', timeout: 30_000 });
      await shows(page, 'the process before was killed or crashed');
      expect(world.sandbox.services[service].pid).not.toBe(pid);
    },
    60_000,
  );
};
