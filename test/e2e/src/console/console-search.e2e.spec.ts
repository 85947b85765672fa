// Lane: long (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, it } from '@jest/globals';
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
import { World } from '@xs2a/test-support/world';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
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

/** Types a text into the search field at the top of a console page, and submits the search. */
const search = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('searchbox', { name: 'Search' }).fill(text);
  await page.keyboard.press('Enter');
};

describe('the search of the console', () => {
  it('opens the page of the payment, basket, consent, call, trace or TPP whose id was entered', async () => {
    const tpp = world.tpp();
    const psu = await world.person('100.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const token = await tpp.applicationToken();
    const [requestId, traceId] = [randomUUID(), randomBytes(16).toString('hex')];
    const { paymentId } = await initiate(tpp, token, domesticPayment(iban, '12.50'), {
      'x-request-id': requestId,
      traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    });
    const other = await initiate(tpp, token, domesticPayment(iban, '1.00'));
    const { basketId } = bodyOf<{ basketId: string }>(
      await tpp.call('POST', '/v1/signing-baskets', token, {
        json: { paymentIds: [paymentId, other.paymentId] },
      }),
      201,
    );
    const day = dayFrom(await sandboxNow(world), 30);
    const { consentId } = bodyOf<{ consentId: string }>(
      await createConsent(tpp, psu.psuId, consentBody([iban], day)),
      201,
    );
    const { page, context, look } = await openAs({ browser, url }, 'viewer', '/now');
    const leadsTo: readonly (readonly [string, string])[] = [
      [paymentId, `/payments/${paymentId}`],
      [` ${paymentId.toUpperCase()} `, `/payments/${paymentId}`],
      [basketId, `/payments/${basketId}`],
      [consentId, `/consents/${consentId}`],
      [requestId, `/calls/${requestId}`],
      [traceId, `/calls?trace=${traceId}`],
      ['sandbox-tpp', '/calls?tpp=sandbox-tpp'],
    ];
    // Waits for the record of the call, because the gateway sends its records to the console only every five seconds.
    const calls = async (): Promise<string> => {
      await page.goto(`${url}/calls?trace=${traceId}`);
      return page.content();
    };
    await until(calls, (text) => text.includes(requestId));
    for (const [text, path] of leadsTo) {
      await search(page, text);
      await page.waitForURL(`${url}${path}`);
    }
    await search(page, randomUUID());
    await shows(page, 'Nothing is found');
    await look('console-search-unknown');
    await context.close();
  }, 90_000);

  it('finds a payment by its encrypted payee, shows how many payments were searched, and records the search as one reveal', async () => {
    const tpp = world.tpp();
    const psu = await world.person('100.00');
    const token = await tpp.applicationToken();
    const body = domesticPayment(psu.accounts[0]?.iban ?? '', '3.00', { creditorName: 'Canary Ltd' });
    const { paymentId } = await initiate(tpp, token, body);
    await initiate(tpp, token, { ...body, creditorName: 'Another Ltd' });
    const { page, context } = await openAs({ browser, url }, 'ivanova', '/payments');
    await page.getByText('Search in encrypted data').click();
    const form = page.locator('form[action="/payments/search"]');
    await form.getByLabel('TPP').fill('sandbox-tpp');
    await form.getByLabel('Day of the POST').fill(dayFrom(await sandboxNow(world), 0));
    await form.getByLabel('Amount').fill('3.00 BGN');
    await form.getByLabel('payee').fill('canary');
    await form.getByLabel('Reason').fill('case 4716');
    await form.getByRole('button', { name: 'Search' }).click();
    await shows(page, paymentId);
    await shows(page, /Searched 2 of 2, found\s+1\./);
    await shows(page, '19 of 20 reveals are left within the hour');
    await page.getByRole('link', { name: 'The record' }).click();
    await shows(page, 'case 4716');
    await shows(page, 'Searched 2 of 2, found 1.');
    await context.close();
  }, 60_000);
});
