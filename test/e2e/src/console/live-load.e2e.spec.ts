// Lane: nightly (a million events, and 2,000 a second for a minute).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LogPage } from '@xs2a/contracts/timeline.contract';
import { until } from '@xs2a/nats/testing/until';
import { createPool } from '@xs2a/postgres/pool';
import { World } from '@xs2a/test-support/world';
import type { Browser, Response } from 'playwright-core';
import { launchBrowser } from '../pages/screens.js';
import { openAs, shows } from './staff-page.js';

const stored = 1_000_000;
const atOnce = 25_000;
const perSecond = 2000;
const seconds = 60;
/** The most milliseconds until the first paint, and of one task of the page. */
const mostMs = 1000;

let world: World;
let browser: Browser;
let url: string;
let owner: ReturnType<typeof createPool>;
let last = 0;

/**
 * Stores events of consents, one in each stream. They are written to the log at once, so that the relay, which gives positions to
 * what waits for one, does not publish them.
 */
const store = async (count: number): Promise<void> => {
  await owner.query(
    `WITH added AS (
       INSERT INTO consents.events (stream_id, version, event_id, type, schema_version, data, meta, occurred_at, prev_hash, hash)
       SELECT md5(n::text)::uuid, 1, md5('e' || n)::uuid, 'created', 1, '{}', '{"actor": "tpp"}', now(), '', ''
       FROM generate_series($1::int + 1, $1::int + $2::int) AS n)
     INSERT INTO consents.log (pos, stream_id, version)
     SELECT n, md5(n::text)::uuid, 1 FROM generate_series($1::int + 1, $1::int + $2::int) AS n`,
    [last, count],
  );
  last += count;
};

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
  owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'live-load', max: 1 });
  const { rows } = await owner.query<{ last: number }>(
    'SELECT coalesce(max(pos), 0)::int AS last FROM consents.log',
  );
  last = rows[0]?.last ?? 0;
  for (let batch = 0; batch < stored / atOnce; batch += 1) await store(atOnce);
  browser = await launchBrowser();
}, 240_000);
afterAll(async () => {
  await browser.close();
  await owner.end();
  await world.stop();
});

describe('Live under load (docs/how-to/operate-the-console.md)', () => {
  it('is painted at once over a log of a million events, and stays responsive at 2,000 events a second, with the number left out', async () => {
    const { page, context } = await openAs({ browser, url }, 'viewer', '/live?log=consents');
    await page.reload();
    await shows(page, String(last));
    const paintedMs = await page.evaluate<number>(
      `new Promise((done) => new PerformanceObserver((list) => {
         for (const { startTime } of list.getEntriesByName('first-contentful-paint')) done(startTime);
       }).observe({ type: 'paint', buffered: true }))`,
    );
    await page.evaluate(
      `globalThis.longest = 0;
       new PerformanceObserver((list) => {
         for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
       }).observe({ type: 'longtask' })`,
    );
    let leftOut = 0;
    let received = 0;
    const count = async (response: Response): Promise<void> => {
      if (!response.url().includes('/live/events')) return;
      const part = (await response.json()) as LogPage;
      leftOut += part.leftOut;
      received += part.events.length;
    };
    page.on('response', (response) => void count(response));
    const beganAt = performance.now();
    for (let second = 1; second <= seconds; second += 1) {
      await store(perSecond);
      await page.waitForTimeout(Math.max(0, beganAt + second * 1000 - performance.now()));
    }
    const clickedAt = performance.now();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    const clickMs = performance.now() - clickedAt;
    await until(async () => expect(received + leftOut).toBe(perSecond * seconds));
    await until(async () =>
      expect(await page.locator('#live-note').innerText()).toMatch(new RegExp(` ${leftOut} left out `)),
    );
    expect(leftOut).toBeGreaterThan(perSecond * seconds * 0.8);
    const { length: rows } = await page.locator('#live-rows tr').all();
    expect(rows).toBe(2000);
    const longestMs = await page.evaluate<number>('globalThis.longest');
    process.stderr.write(
      `Live: painted in ${Math.round(paintedMs)} ms, longest task ${Math.round(longestMs)} ms, click ${Math.round(clickMs)} ms, ${received} shown, ${leftOut} left out\n`,
    );
    expect(Math.max(paintedMs, longestMs)).toBeLessThan(mostMs);
    await context.close();
  }, 180_000);
});
