// Lane: long (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import { domesticPayment, initiate, until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
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
  owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'settlement-actions', max: 1 });
  browser = await launchBrowser();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await owner.end();
  await world.stop();
});

/** A payment that is signed, and due in less than an hour. */
const signedPayment = async (): Promise<string> => {
  const tpp = world.tpp();
  const psu = await world.person('100.00');
  const token = await tpp.applicationToken();
  const { paymentId, scaRedirect } = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
  await walkAndApprove(world.browser(), scaRedirect, psu);
  return paymentId;
};
/** A due payment whose settlement failed, and waits for an hour. */
const failedPayment = async (): Promise<string> => {
  const paymentId = await signedPayment();
  await owner.query(
    `INSERT INTO settlement.unfinished (payment_id, attempts, retry_at, last_failure)
     VALUES ($1, 3, now() + interval '1 hour', 'dependencyDown')`,
    [paymentId],
  );
  await world.advance('PT10M');
  return paymentId;
};
const transfers = async (paymentId: string): Promise<string[]> => {
  const { rows } = await owner.query<{ kind: string }>(
    'SELECT kind FROM accounts.transfer WHERE payment_id = $1 ORDER BY kind',
    [paymentId],
  );
  return rows.map(({ kind }) => kind);
};
const settled = async (paymentId: string): Promise<void> => {
  await until(
    async () => transfers(paymentId),
    (kinds) => kinds.length === 2,
  );
  expect(await transfers(paymentId)).toEqual(['hold', 'post']);
};

describe('the settlement of a payment, on its page', () => {
  it('is tried now instead of later, and books once', async () => {
    const paymentId = await failedPayment();
    const { page, context, check } = await openAs({ browser, url }, 'ivanova', '/settlement');
    await page.locator('section[aria-label="In progress and failing"]').getByText(paymentId).click();
    await page.waitForURL(`${url}/payments/${paymentId}`);
    await shows(page, `xs2a settlement try-now ${paymentId} --reason REASON`);
    await check('console-try-now');
    const card = page.locator('section[aria-label="Try now"]');
    await card.getByLabel('Reason').fill('case 4711: the core bank is repaired');
    await card.getByRole('button', { name: 'Try now' }).click();
    await shows(page, 'The next attempt is made now.');
    await settled(paymentId);
    await page.getByRole('link', { name: 'Back to the payment' }).click();
    await page.waitForURL(`${url}/payments/${paymentId}`);
    await shows(page, 'ACSC');
    expect(await page.getByRole('button', { name: 'Try now' }).count()).toBe(0);
    await context.close();
  }, 60_000);

  it('begins if settlement had lost the payment and an operator hands it over again', async () => {
    const paymentId = await signedPayment();
    await owner.query('UPDATE payments.payment_view SET due_at = NULL WHERE stream_id = $1', [paymentId]);
    await world.advance('PT10M');
    expect(await transfers(paymentId)).toEqual([]);
    const { page, context, check } = await openAs({ browser, url }, 'ivanova', `/payments/${paymentId}`);
    const card = page.locator('details', { hasText: 'Hand to settlement again' });
    await card.locator('summary').click();
    await check('console-hand-over');
    await card.getByLabel('Reason').fill('case 4712');
    await card.getByRole('button', { name: 'Hand to settlement again' }).click();
    await shows(page, 'Its row in the status view was wrong and is repaired.');
    await settled(paymentId);
    await context.close();
  }, 60_000);

  it('is asked for once if a form is sent twice, and by operators only', async () => {
    const paymentId = await failedPayment();
    const staff = new StaffBrowser(url);
    const text = await (await staff.signIn('ivanova', `/payments/${paymentId}`)).text();
    for (const path of ['/payments/try-now', '/payments/hand-over']) {
      const form = { ...hiddenIn(text, path), reason: 'case 4713' };
      const send = async (changes: Record<string, string> = {}): Promise<Response> =>
        staff.send(path, { method: 'POST', body: new URLSearchParams({ ...form, ...changes }) });
      for (const change of [{ reason: '' }, { paymentId: 'x' }, { action: 'x' }])
        expect([path, change, (await send(change as never)).status]).toEqual([path, change, 400]);
      expect((await Promise.all([send(), send(), send()])).map(({ status }) => status)).toEqual([
        303, 303, 303,
      ]);
    }
    await settled(paymentId);
    const actions = await (await staff.open('/actions')).text();
    expect(actions.match(/case 4713/g)).toHaveLength(2);
    for (const other of ['petrov', 'viewer']) {
      const page = await (await new StaffBrowser(url).signIn(other, `/payments/${paymentId}`)).text();
      expect(page).toContain(paymentId);
      expect(page).not.toMatch(/try-now|hand-over/);
    }
  }, 60_000);
});
