// Lane: nightly (an instant payment has ten seconds, and its bank is frozen for most of them).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import { parseInitiated, readStatus, until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { Browser } from 'playwright-core';
import { euroBody, openEuroPerson, post } from '../euro/euro-world.js';
import { signal } from '../faults/frozen-processes.js';
import { launchBrowser } from '../pages/screens.js';
import { openAs, shows } from './staff-page.js';

const product = 'instant-SEPA-credit-transfer';
const path = `/v1/payments/${product}`;
/** The payee's bank confirms after eight seconds (contract E8.2). */
const slowPayee = 'BG46XSBV92001000000204';

let world: World;
let browser: Browser;
let url: string;
let owner: ReturnType<typeof createPool>;
beforeAll(async () => {
  world = await World.around({ profile: 'bg-euro', console: {} });
  url = world.sandbox.consoleUrl ?? '';
  owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'late-instants', max: 1 });
  browser = await launchBrowser();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await owner.end();
  await world.stop();
});

const isThere = async (from: string, paymentId: string): Promise<boolean> =>
  (await owner.query(`SELECT FROM ${from} WHERE payment_id = $1`, [paymentId])).rowCount === 1;

/** An instant payment whose bank sends the order, is frozen until the payment is rejected, and then confirms it. */
const confirmedLate = async (): Promise<{ readonly paymentId: string; readonly iban: string }> => {
  const tpp = world.tpp();
  const psu = await openEuroPerson(tpp);
  const body = euroBody(product, psu.iban, {
    creditorAccount: { iban: slowPayee },
    creditorAgent: undefined,
    instructedAmount: { currency: 'EUR', amount: '25.00' },
  });
  const payment = parseInitiated(await post(tpp, path, body), path);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  await until(async () => isThere('accounts.instant_order', payment.paymentId), Boolean);
  const bank = world.sandbox.services.accounts.pid;
  signal([bank], 'SIGSTOP');
  try {
    const token = await tpp.applicationToken();
    const status = await until(
      async () => readStatus(tpp, token, payment.path),
      ({ transactionStatus }) => transactionStatus === 'RJCT',
    );
    expect(status).toMatchObject({ reasonCode: 'AB05' });
  } finally {
    signal([bank], 'SIGCONT');
  }
  await until(
    async () =>
      isThere(
        '(SELECT * FROM settlement.instant_follow_up WHERE confirmed_at IS NOT NULL) AS f',
        payment.paymentId,
      ),
    Boolean,
    60,
  );
  return { paymentId: payment.paymentId, iban: psu.iban };
};

describe('an instant payment that was confirmed after its rejection (contract E3.5)', () => {
  it('is named on Now, listed on Settlement with its amount, and leads to its runbook', async () => {
    const { page, context, check } = await openAs({ browser, url }, 'viewer', '/settlement');
    await shows(page, 'No payment waits for settlement.');
    const list = page.locator('section[aria-label="Confirmed after rejection"]');
    expect(await list.count()).toBe(0);
    const { paymentId, iban } = await confirmedLate();
    await page.goto(`${url}/now`);
    await shows(page, '1 instant payment was confirmed after its rejection: the payee may have the money');
    await check('console-now-late-instant');
    await page.getByRole('link', { name: 'Show the payments' }).click();
    await page.waitForURL(`${url}/settlement#confirmed-late`);
    await list.getByRole('link', { name: paymentId }).waitFor();
    expect(await list.innerText()).toContain('25.00 EUR');
    expect(await page.content()).not.toContain(iban);
    await check('console-settlement-late-instant');
    await list.getByRole('link', { name: 'What to do' }).click();
    await shows(page, 'An instant payment was confirmed after its rejection');
    await page.goBack();
    await list.getByRole('link', { name: paymentId }).click();
    await page.waitForURL(`${url}/payments/${paymentId}`);
    await page.goto(`${url}/settlement`);
    expect(await list.getByText('Close').count()).toBe(0);
    await context.close();
  }, 120_000);

  it('is closed by an operator with a reason, which is recorded, and named no more', async () => {
    const { page, context, check } = await openAs({ browser, url }, 'ivanova', '/settlement#confirmed-late');
    const list = page.locator('section[aria-label="Confirmed after rejection"]');
    await list.getByRole('link', { name: 'Close' }).click();
    await check('console-settlement-close-late-instant');
    await page.getByLabel('Reason').fill('case 4711: returned');
    await page.getByRole('button', { name: 'Close' }).click();
    await shows(page, 'The payment is closed and no longer listed.');
    expect(await page.innerText('body')).toContain('case 4711: returned');
    await page.goto(`${url}/settlement`);
    await shows(page, 'No payment waits for settlement.');
    expect(await list.count()).toBe(0);
    await page.goto(`${url}/now`);
    await page.locator('h2', { hasText: 'confirmed after its rejection' }).waitFor({ state: 'detached' });
    await context.close();
  }, 60_000);
});
