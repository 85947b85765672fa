// Lane: long (a part of the portal, with applications of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { domesticPath, domesticPayment } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import type { Browser } from 'playwright-core';
import { launchBrowser, visitor, type Visitor } from '../pages/screens.js';
import { WorkspaceUser } from './workspace-user.js';

let world: World;
let browser: Browser;
let visit: Visitor;
let user: WorkspaceUser;
beforeAll(async () => {
  world = await World.start({ gateway: { CALL_BODIES: 'true' } });
  browser = await launchBrowser();
  visit = await visitor(browser, 'en', 320, 360, 1280);
  user = await WorkspaceUser.register(world.baseUrl, 'My shop');
  await user.signIn();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** Sends the form of an operation with these fields in place of those of the page, and returns the page with the answer. */
const send = async (operation: string, fields: Readonly<Record<string, string>> = {}): Promise<string> => {
  const path = `/workspace/try/${operation}`;
  const csrf = await user.csrf(path);
  const answer = await user.post(path, fields, csrf);
  expect(answer.status).toBe(200);
  return answer.text();
};
const pillIn = (page: string): string | undefined => /class="pill \w+">(\d+)</.exec(page)?.[1];

describe('trying a call in the workspace (contract 1)', () => {
  it('sends a payment from the form of the reference, links the page on which it is signed, and says why another is refused', async () => {
    const { page } = visit;
    await page.goto(`${world.baseUrl}/reference/initiatePayment`);
    await page.getByRole('link', { name: 'Try it' }).click();
    expect(new URL(page.url()).pathname).toBe('/workspace/sign-in');
    await page.getByLabel('Client id').fill(user.credentials.clientId);
    await page.getByLabel('Client secret').fill(user.credentials.clientSecret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(new URL(page.url()).pathname).toBe('/workspace/try/initiatePayment');
    await visit.check('try a payment');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.locator('.pill').textContent()).toBe('201');
    await visit.check('the answer to a payment');
    await page.getByLabel('Body').fill('{"instructedAmount":{"currency":"BGN","amount":"12,50"}}');
    await page.getByLabel('Idempotency-Key').fill('another-key');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.locator('.pill').textContent()).toBe('400');
    await page.getByRole('link', { name: 'Why it was refused' }).click();
    expect(await page.locator('.why').textContent()).toContain('Corrected request');
    await page.goto(`${world.baseUrl}/workspace/try/initiatePayment`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: 'Sign as the customer' }).click();
    expect(new URL(page.url()).pathname).toMatch(/^\/sca\//);
    await page.goto(`${world.baseUrl}/workspace/try`);
    await visit.check('calls to try');
  }, 60_000);

  it('sends a stored call again: with a new Idempotency-Key, or with the same one for the same answer', async () => {
    const { page } = visit;
    const created = await fetch(`${world.baseUrl}${domesticPath}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await user.token()}`,
        'content-type': 'application/json',
        'idempotency-key': 'an-order-of-my-shop',
      },
      body: JSON.stringify(domesticPayment((await world.person()).accounts[0]?.iban ?? '')),
    });
    const { paymentId } = (await created.json()) as { paymentId: string };
    const sendAgain = async (link: string): Promise<string> => {
      await page.goto(`${world.baseUrl}/workspace/requests/${created.headers.get('x-request-id')}`);
      await page.getByRole('link', { name: link, exact: true }).click();
      await visit.check(link);
      await page.getByRole('button', { name: 'Send' }).click();
      expect(await page.locator('.pill').textContent()).toBe('201');
      return (await page.locator('section[aria-labelledby="answer"]').textContent()) ?? '';
    };
    expect(await sendAgain('Send again with the same Idempotency-Key')).toContain(paymentId);
    expect(await sendAgain('Send again')).not.toContain(paymentId);
    await page.getByRole('link', { name: 'What was sent' }).click();
    expect(await page.locator('h1').textContent()).toBe('initiatePayment');
  }, 60_000);

  it('fills the form neither from the call of another application nor from a call of another operation', async () => {
    const seen = await fetch(`${world.baseUrl}/v1/consents`, {
      headers: { authorization: `Bearer ${await user.token()}` },
    });
    const id = seen.headers.get('x-request-id') ?? '';
    const shown = await (await user.get(`/workspace/requests/${id}`)).text();
    const [, path = ''] = /href="(\/workspace\/try\/[^"]+)">Send again</.exec(shown) ?? [];
    const again = path.replaceAll('&amp;', '&');
    expect((await user.get(again)).status).toBe(200);
    const other = await WorkspaceUser.register(world.baseUrl, 'Another shop');
    await other.signIn();
    const ofAnother = again.replace('listConsents', 'listOwnPsus');
    const answers = [await other.get(again), await user.get(ofAnother), await user.get(`${again}0`)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('sends every operation that its index lists, and gets an answer of the API, never of another server', async () => {
    const index = await (await user.get('/workspace/try')).text();
    const operations = [...index.matchAll(/\/workspace\/try\/(\w+)"/g)].map(([, name = '']) => name);
    expect(operations.length).toBeGreaterThan(30);
    for (const operation of operations.filter((name) => name !== 'advanceClock')) {
      const path = `/workspace/try/${operation}`;
      const form = await (await user.get(path)).text();
      const names = [...form.matchAll(/name="(path\.[^"]+)"/g)].map(([, name = '']) => name);
      const fields = Object.fromEntries(
        names
          .filter((name) => name !== 'path.payment-product' && name !== 'path.payment-service')
          .map((name) => [name, '01a22338-3e14-771d-a0a7-02ae4c0e4300']),
      );
      const csrf = /name="csrf" value="([^"]+)"/.exec(form)?.[1];
      const page = await (await user.post(path, fields, csrf)).text();
      expect([operation, pillIn(page)]).toEqual([operation, expect.stringMatching(/^[24]\d\d$/)]);
      expect(page).toContain('x-request-id: ');
    }
  }, 60_000);

  it.each(['initiatePayment', 'createConsent', 'initiatePeriodicPayment'])(
    'sends the form of %s as it is at first, and the bank accepts it',
    async (operation) => {
      const { page } = visit;
      await page.goto(`${world.baseUrl}/workspace/try/${operation}`);
      await page.getByRole('button', { name: 'Send' }).click();
      expect(await page.locator('.pill').textContent()).toBe('201');
    },
  );

  it('leaves its operation for no other path, origin or header', async () => {
    const paymentId = '..';
    expect(await send('settlePayment', { 'path.paymentId': paymentId })).toContain('paymentId cannot be ..');
    expect(await send('settlePayment', { 'path.paymentId': '' })).toContain('Fill in paymentId');
    for (const value of ['../../oauth2/token', '//evil.example', 'http://127.0.0.1:1/', '%2e%2e/x', '?a=1#b'])
      expect(await send('settlePayment', { 'path.paymentId': value })).toMatch(
        /RESOURCE_UNKNOWN|FORMAT_ERROR/,
      );
    expect(await send('initiatePayment', { 'header.PSU-ID': 'x\r\nHost: evil.example' })).toContain(
      'only ASCII characters',
    );
    expect(await send('listRequests', { accessToken: 'a b' })).toContain('This is not a valid access token.');
    for (const operation of ['token', 'authorize', 'registerTpp', 'unknown', '__proto__'])
      expect((await user.get(`/workspace/try/${operation}`)).status).toBe(404);
  });

  it('uses a customer’s token if one is given, and shows it nowhere', async () => {
    const token = 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl';
    const page = await send('listAccounts', { accessToken: token });
    expect(pillIn(page)).toBe('401');
    expect(page).not.toContain(token);
  });

  it('escapes what was written into the form', async () => {
    const evil = '</textarea><img src=x onerror=alert(1)>';
    const page = await send('initiatePayment', { body: evil, 'header.PSU-ID': evil });
    expect(page).toContain('&lt;img');
    expect(page).not.toContain('<img');
  });
});
