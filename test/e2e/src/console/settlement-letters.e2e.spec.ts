// Lane: long (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import { until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../pages/screens.js';
import { StaffBrowser } from './staff-browser.js';
import { hiddenIn, openAs, shows } from './staff-page.js';

let world: World;
let browser: Browser;
let url: string;
let owner: ReturnType<typeof createPool>;

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
  owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'letters', max: 1 });
  browser = await launchBrowser();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await owner.end();
  await world.stop();
});

const iban = 'BG80BNBG96611020345678';
const event = JSON.stringify({ type: 'signed', data: { order: { debtorIban: iban }, dueAt: 'then' } });
const putAside = async (pos: number, body = event): Promise<string> => {
  await owner.query(
    `INSERT INTO settlement.dead_letter (consumer, pos, subject, body, reason)
     VALUES ('settlement', $1, 'payments.signed', $2, 'SyntaxError')`,
    [pos, body],
  );
  return `settlement:${pos}`;
};
const isKept = async (pos: number): Promise<boolean> =>
  ((await owner.query('SELECT FROM settlement.dead_letter WHERE pos = $1', [pos])).rowCount ?? 0) > 0;

describe('dead letters of settlement in the console', () => {
  it('are read and replayed, and a letter that fails again is kept until it is discarded', async () => {
    const id = await putAside(-41, `${event} x`);
    const { page, context, check } = await openAs({ browser, url }, 'ivanova', '/settlement');
    await check('settlement-letters');
    await page.locator('section[aria-label="Dead letters"]').getByText(id).click();
    await shows(page, 'The message is not JSON.');
    expect(await page.content()).not.toContain(iban);
    await check('settlement-letter');
    const replay = page.locator('section[aria-label=Replay]');
    await shows(page, `xs2a dead-letters replay ${id} --reason REASON`);
    await replay.getByLabel('Reason').fill('case 4711');
    await replay.getByRole('button', { name: 'Replay' }).click();
    await shows(page, 'The worker was asked to handle the event again.');
    await until(
      async () =>
        (
          await owner.query<{ replay: string | null }>(
            'SELECT replay FROM settlement.dead_letter WHERE pos = -41',
          )
        ).rows[0]?.replay,
      (state) => state === 'failed',
    );
    await page.goto(`${url}/settlement/letters/${id}`);
    const discard = page.locator('section[aria-label=Discard]');
    await discard.getByLabel('Reason').fill('case 4712');
    await discard.getByRole('button', { name: 'Discard for good' }).click();
    await shows(page, 'The event is discarded.');
    expect(await isKept(-41)).toBe(false);
    await context.close();
  }, 60_000);

  it('are acted on once if a form is sent twice, and by operators only', async () => {
    const id = await putAside(-42);
    const staff = new StaffBrowser(url);
    const text = await (await staff.signIn('ivanova', `/settlement/letters/${id}`)).text();
    const form = { ...hiddenIn(text, '/settlement/letters/discard'), reason: 'case 4713' };
    const send = async (changes: Record<string, string> = {}): Promise<Response> =>
      staff.send('/settlement/letters/discard', {
        method: 'POST',
        body: new URLSearchParams({ ...form, ...changes }),
      });
    for (const change of [{ reason: '' }, { letter: 'x' }, { action: 'x' }])
      expect([change, (await send(change as never)).status]).toEqual([change, 400]);
    for (const { status } of await Promise.all([send(), send(), send()])) expect(status).toBe(303);
    await send({ action: crypto.randomUUID() });
    const actions = await (await staff.open('/actions?act=discard-dead-letter')).text();
    expect(actions.match(/The event is discarded\./g)?.length).toBeGreaterThan(0);
    expect(actions.match(/or was removed before\./g)).toHaveLength(1);
    await putAside(-43);
    const page = await (
      await new StaffBrowser(url).signIn('viewer', '/settlement/letters/settlement:-43')
    ).text();
    expect(page).toContain('settlement:-43');
    expect(page).toContain('dueAt');
    expect(page).not.toContain(iban);
    expect(page).not.toContain('Discard for good');
  }, 60_000);
});
