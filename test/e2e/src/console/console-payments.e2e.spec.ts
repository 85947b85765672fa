// Lane: long, first (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  consentBody,
  createConsent,
  dayFrom,
  domesticPayment,
  initiate,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import { bodyOf } from '@xs2a/test-support/sandbox-tpp';
import { createPool } from '@xs2a/postgres/pool';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../pages/screens.js';
import { openAs, shows } from './staff-page.js';

let world: World;
let browser: Browser;
let url: string;

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
  browser = await launchBrowser();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** A payment that its PSU has signed. */
const signedPayment = async () => {
  const psu = await world.person('1000.00');
  const tpp = world.tpp();
  const token = await tpp.applicationToken();
  const iban = psu.accounts[0]?.iban ?? '';
  const payment = await initiate(tpp, token, domesticPayment(iban, '12.50', { creditorName: 'Canary Ltd' }));
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  return {
    ...payment,
    psu,
    iban,
    status: async () =>
      tpp.call('GET', `/v1/payments/domestic-credit-transfer-BGN/${payment.paymentId}/status`, token),
  };
};

describe('payments in the console', () => {
  it('shows a payment from its POST to its booking, and as it was before, without personal data', async () => {
    const { paymentId, psu, iban, status } = await signedPayment();
    await world.advance('PT10M');
    await status();
    const { page, context, look } = await openAs({ browser, url }, 'ivanova', '/now');
    // Gateways report their calls every five seconds.
    await until(
      async () => {
        await page.getByLabel('Search').fill(paymentId);
        await page.keyboard.press('Enter');
        await page.waitForURL(`${url}/payments/${paymentId}`);
        return page.getByText('1 other call').count();
      },
      (count) => count === 1,
    );
    await shows(page, '12.50 BGN · domestic-credit-transfer-BGN');
    const rows = await page.locator('section[aria-label=History] tbody tr').allInnerTexts();
    const seen = rows.map((row) => row.split('\t')[2]?.trim().replace(/ – .*/, ''));
    expect(seen).toEqual([
      'initiatePayment → 201',
      'initiated',
      'accepted',
      'signed',
      'settlement started',
      'settled',
    ]);
    const text = await page.content();
    for (const secret of [psu.psuId, iban, 'Canary']) expect(text).not.toContain(secret);
    expect(text).toContain(`…${iban.slice(-4)}`);
    await look('console-payment');
    const signed = page.locator('tr', { hasText: 'signed' }).getByRole('link');
    const position = Number(await signed.innerText());
    await signed.click();
    await shows(page, `As of position ${position}`);
    await shows(page, 'ACCP');
    expect(await page.locator('section[aria-label=History] tbody tr').count()).toBe(4);
    await page.getByLabel('as of a position').fill('');
    await page.getByLabel('compared with').fill(String(position));
    await page.keyboard.press('Enter');
    await shows(page, 'ACCP → ACSC, 2 events');
    await look('console-payment-compared');
    await context.close();
  }, 60_000);

  it('finds the payments of a TPP on a day, and says how many were searched', async () => {
    const { paymentId } = await signedPayment();
    const { page, context, look } = await openAs({ browser, url }, 'viewer', '/payments');
    await look('console-payments');
    await page.getByLabel('TPP', { exact: true }).fill('sandbox-tpp');
    const day = dayFrom(await sandboxNow(world), 0);
    await page.getByLabel('day of the POST').fill(day);
    await page.getByLabel('amount').fill('12.50 BGN');
    await page.keyboard.press('Enter');
    await shows(page, paymentId);
    await shows(page, 'Searched');
    await look('console-payments-found');
    await page.getByLabel('amount').fill('twelve');
    await page.keyboard.press('Enter');
    await shows(page, 'Enter the amount with its currency');
    await context.close();
  }, 60_000);

  it('names overdue payments on Now, and leads to them, while no settlement worker runs', async () => {
    const { page, context, look } = await openAs({ browser, url }, 'petrov', '/now');
    const { paymentId } = await signedPayment();
    const { pid } = world.sandbox.services['settlement-worker'];
    process.kill(pid, 'SIGSTOP');
    try {
      const tpp = world.tpp();
      const token = await tpp.applicationToken();
      await tpp.call('POST', '/sandbox/clock', token, { json: { advance: 'PT30M' } });
      await shows(page, 'overdue: the oldest has been due for');
      await page.getByRole('link', { name: 'Show the settlement' }).first().click();
      await shows(page, paymentId);
      await shows(page, 'settlement-worker did not answer: this page does not show what fails.');
      await look('console-settlement');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await page.locator('td .pill.problem').first().waitFor({ state: 'detached', timeout: 20_000 });
    await context.close();
  }, 90_000);
});

describe('consents in the console', () => {
  it('lists the consents of a TPP and shows one', async () => {
    const psu = await world.person('1000.00');
    const until = dayFrom(await sandboxNow(world), 60);
    const answer = await createConsent(
      world.tpp(),
      psu.psuId,
      consentBody([psu.accounts[0]?.iban ?? ''], until),
    );
    const consent = bodyOf<{ consentId: string }>(answer, 201);
    const { page, context, look } = await openAs({ browser, url }, 'viewer', '/consents?tpp=sandbox-tpp');
    await page.getByRole('link', { name: consent.consentId }).click();
    await shows(page, 'received');
    await shows(page, 'Sandbox TPP (sandbox-tpp)');
    await look('console-consent');
    await context.close();
  }, 60_000);
});

describe('events in the console', () => {
  it('appear on Live as they are stored, unless it is paused, and lead to their payment', async () => {
    const { page, context, look } = await openAs({ browser, url }, 'viewer', '/live');
    const rowsOf = (id: string) => page.locator('#live-rows tr', { hasText: id });
    const first = await signedPayment();
    await until(
      async () => rowsOf(first.paymentId).count(),
      (count) => count === 3,
    );
    const types = await rowsOf(first.paymentId).locator('td:nth-child(3)').allInnerTexts();
    expect(types).toEqual(['signed', 'accepted', 'initiated']);
    await shows(page, 'signed 1/min');
    const overflowing = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.live th, .live td')].filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`,
    );
    expect(overflowing).toEqual([]);
    await look('console-live');
    await page.getByRole('button', { name: 'Pause' }).click();
    const second = await signedPayment();
    await page.getByText(/^paused: [3-9] new/).waitFor({ timeout: 10_000 });
    expect(await rowsOf(second.paymentId).count()).toBe(0);
    await page.getByRole('button', { name: 'Continue' }).click();
    await until(
      async () => rowsOf(second.paymentId).count(),
      (count) => count === 3,
    );
    const tpp = rowsOf(second.paymentId).first().getByRole('link', { name: 'Sandbox TPP' });
    expect(await tpp.getAttribute('href')).toBe('/tpps/sandbox-tpp');
    await rowsOf(second.paymentId).getByRole('link').first().click();
    await shows(page, 'As of position');
    await context.close();
  }, 60_000);

  it('are marked on Live when they are lost behind its position, also when that is found later', async () => {
    const { paymentId } = await signedPayment();
    const { page, context, look } = await openAs({ browser, url }, 'viewer', '/live');
    const rows = page.locator('#live-rows tr', { hasText: paymentId });
    await until(
      async () => rows.count(),
      (count) => count === 3,
    );
    const upTo = Number(await rows.first().locator('td').first().innerText());
    const owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'live', max: 1 });
    try {
      await owner.query('INSERT INTO payments.log_gap (after, up_to) VALUES ($1, $2)', [upTo - 2, upTo]);
      await shows(page, 'lost when the database went back');
      expect(await page.locator('#live-rows tr.is-lost').count()).toBe(2);
      expect(await rows.nth(2).getAttribute('class')).toBeNull();
      await look('console-live-lost');
      await owner.query('UPDATE payments.log_gap SET after = after - 1 WHERE up_to = $1', [upTo]);
      await page.getByText(`${upTo - 2}–${upTo}`).waitFor({ timeout: 10_000 });
      expect(await page.locator('#live-rows tr.is-lost').count()).toBe(3);
    } finally {
      await owner.query('DELETE FROM payments.log_gap WHERE up_to = $1', [upTo]);
      await owner.end();
    }
    await context.close();
  }, 60_000);

  it('are filtered by type, TPP, product and status, and go back to the first one or to a time', async () => {
    const { paymentId } = await signedPayment();
    const { page, context, look } = await openAs(
      { browser, url },
      'viewer',
      '/live?type=signed&tpp=sandbox-tpp',
    );
    await shows(page, paymentId);
    const types = await page.locator('#live-rows td:nth-child(3)').allInnerTexts();
    expect([...new Set(types)]).toEqual(['signed']);
    await page.goto(`${url}/live?before=3`);
    const positions = await page.locator('#live-rows td:first-child').allInnerTexts();
    expect(positions).toEqual(['2', '1']);
    const countOf = async (query: string): Promise<number> => {
      await page.goto(`${url}/live?${query}`);
      return page.locator('#live-rows tr').count();
    };
    for (const none of ['tpp=nobody', 'status=CANC', 'product=signing-basket', 'before=2020-01-01'])
      expect([none, await countOf(none)]).toEqual([none, 0]);
    expect(await countOf('before=2100-01-01')).toBeGreaterThan(0);
    expect(await page.locator('[data-live]').count()).toBe(0);
    await page.goto(`${url}/live`);
    await page.getByLabel('product').fill('domestic-credit-transfer-BGN');
    await page.getByLabel('status now').fill('ACCP');
    await page.keyboard.press('Enter');
    await page.waitForURL(/status=ACCP/);
    await shows(page, paymentId);
    await look('console-live-filtered');
    await context.close();
  }, 60_000);
});
