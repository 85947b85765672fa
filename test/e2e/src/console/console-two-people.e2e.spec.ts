// Lane: long (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import { until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../pages/screens.js';
import { StaffBrowser } from './staff-browser.js';
import { openAs, shows } from './staff-page.js';

let world: World;
let browser: Browser;
let url: string;

beforeAll(async () => {
  world = await World.around({ console: {}, env: { console: { CONSOLE_TWO_PEOPLE: 'all' } } });
  url = world.sandbox.consoleUrl ?? '';
  browser = await launchBrowser();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** Requests that a TPP is blocked, as the operator. Returns the path of the request. */
const requestBlock = async (reason: string): Promise<string> => {
  const { page, context } = await openAs({ browser, url }, 'ivanova', '/tpps/sandbox-tpp-2');
  await page.locator('form[action$="block"]').getByLabel('Reason').fill(reason);
  await page.getByRole('button', { name: 'Block this TPP' }).click();
  await page.waitForURL(/\/actions\/[0-9a-f-]{36}$/);
  await shows(page, 'waits for approval');
  const path = new URL(page.url()).pathname;
  await context.close();
  return path;
};
const token = async (): Promise<string> =>
  world
    .tpp('sandbox-tpp-2')
    .applicationToken()
    .catch(() => 'refused');

describe('an action that needs two people', () => {
  it('does nothing until an approver, who sees what it will do, approves it', async () => {
    const path = await requestBlock('asked by the supervisor');
    expect(await token()).not.toBe('refused');
    const { page, context, look } = await openAs({ browser, url }, 'petrov', '/actions');
    await shows(page, 'Waiting for approval by another person');
    await shows(page, 'All calls of this TPP are refused within a second.');
    await look('console-actions-waiting');
    await page.locator(`section[aria-label="Waiting for approval"] a[href="${path}"]`).click();
    await look('console-decide');
    await page.getByLabel('Reason').fill('the supervisor has written');
    await page.getByRole('button', { name: 'Approve' }).click();
    await shows(page, /is blocked\./);
    await shows(page, 'approved by petrov: the supervisor has written');
    await look('console-approved');
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await until(token, (text) => text === 'refused');
    await page.goto(`${url}/actions`);
    expect(await page.getByText('Waiting for approval by another person').count()).toBe(0);
    await page.getByRole('link', { name: 'Verify the whole chain' }).click();
    await shows(page, 'The chain of 3 records is complete');
    await context.close();
  }, 60_000);

  it('ends if the approver refuses it, with the reason for the person who asked', async () => {
    const path = await requestBlock('case 4711');
    const { page, context } = await openAs({ browser, url }, 'petrov', path);
    await page.getByLabel('Reason').fill('the wrong TPP');
    await page.getByRole('button', { name: 'Refuse' }).click();
    await shows(page, 'refused by petrov: the wrong TPP');
    await context.close();
    const asker = await openAs({ browser, url }, 'ivanova', path);
    await shows(asker.page, 'refused by petrov: the wrong TPP');
    await asker.look('console-refused');
    await asker.context.close();
  }, 60_000);

  it('is not approved by the person who requested it, even with both roles, nor without the role', async () => {
    const path = await requestBlock('case 4712');
    const asker = await openAs({ browser, url }, 'ivanova', path);
    expect(await asker.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await asker.context.close();

    const staff = new StaffBrowser(url);
    const csrf =
      /name="csrf" value="([^"]+)"/.exec(await (await staff.signIn('ivanova', path)).text())?.[1] ?? '';
    const approve = async (): Promise<Response> =>
      staff.send('/actions/decide', {
        method: 'POST',
        body: new URLSearchParams({
          csrf,
          action: path.split('/').at(-1) ?? '',
          decision: 'approved',
          reason: 'case 4712',
        }),
      });
    expect((await approve()).status).toBe(403);
    const owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'roles', max: 1 });
    await owner.query(
      `UPDATE console.staff_session SET data = jsonb_set(data::jsonb, '{passport,roles}', '["operator", "approver"]')
       WHERE data->'passport'->>'subject' = 'ivanova'`,
    );
    await owner.end();
    const answer = await approve();
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('You requested this action. Another person must approve or refuse it.'),
    ]);
    expect(await (await staff.open(path)).text()).toContain(
      'Another person must approve what you requested.',
    );
  }, 60_000);
});
