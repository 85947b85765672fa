import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { domesticPayment, initiate, until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import type { Browser } from 'playwright-core';
import { launchBrowser, visitor } from '../pages/screens.js';
import { WorkspaceUser } from './workspace-user.js';

let world: World;
let browser: Browser;
beforeAll(async () => {
  world = await World.start();
  browser = await launchBrowser();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

const pushPath = '/workspace/push';
/** The text of the page Push, with the latest entries. */
const pushText = async (user: WorkspaceUser): Promise<string> => (await user.get(pushPath)).text();
const addressIn = (text: string): string => /TPP-Notification-URI: (http[^\s<]+)/.exec(text)?.[1] ?? '';

/** Registers an application, signs in and creates its inbox. */
const withInbox = async (): Promise<{ readonly user: WorkspaceUser; readonly address: string }> => {
  const user = await WorkspaceUser.register(world.baseUrl, 'Shop without a server');
  await user.signIn();
  expect((await user.post('/workspace/push/inbox', {}, await user.csrf(pushPath))).status).toBe(303);
  const address = addressIn(await pushText(user));
  expect(address).toMatch(/\/inbox\/[\w-]{22}\.[\w-]{22}$/);
  return { user, address };
};
/** Creates a payment whose changes are pushed to the address, and lets it expire. */
const expirePayment = async ({ credentials }: WorkspaceUser, address: string): Promise<string> => {
  const redirectUri = `${world.baseUrl}/workspace/return`;
  const tpp = new TppClient(world.baseUrl, { ...credentials, redirectUri });
  const token = await tpp.applicationToken();
  const { accounts } = await world.person('100.00');
  const { paymentId } = await initiate(tpp, token, domesticPayment(accounts[0]?.iban ?? ''), {
    'tpp-notification-uri': address,
  });
  await tpp.call('POST', `/sandbox/payments/${paymentId}/expire`, token);
  return paymentId;
};
const post = async (address: string, body: string): Promise<Response> =>
  fetch(address, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

describe('the inbox of a TPP (contract 13)', () => {
  it('receives the notifications of a payment and shows that the bank signed them', async () => {
    const { user, address } = await withInbox();
    const visit = await visitor(browser, 'en', 320, 360, 1280);
    const { page } = visit;
    await page.goto(`${world.baseUrl}${pushPath}`);
    await page.getByLabel('Client id').fill(user.credentials.clientId);
    await page.getByLabel('Client secret').fill(user.credentials.clientSecret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('region', { name: 'Inbox' }).textContent()).toContain('The inbox is empty.');
    const paymentId = await expirePayment(user, address);
    const text = await until(
      async () => pushText(user),
      (shown) => shown.includes('signature verified'),
    );
    expect(text).not.toContain('not verified');
    expect(text).toContain('HTTP 204');
    await page.reload();
    await page.getByText('Headers and body').first().click();
    expect(await page.getByRole('region', { name: 'Inbox' }).textContent()).toContain(
      `"paymentId":"${paymentId}"`,
    );
    await visit.check('workspace inbox');
  }, 60_000);

  it('is found again after a new sign-in, and is not made twice', async () => {
    const { user, address } = await withInbox();
    await user.post('/workspace/push/inbox', {}, await user.csrf(pushPath));
    await user.post('/workspace/sign-out', {}, await user.csrf(pushPath));
    await user.signIn();
    expect(addressIn(await pushText(user))).toBe(address);
    expect((await user.post('/workspace/push/inbox', {})).status).toBe(403);
  });

  it('is read by its own TPP only', async () => {
    const [one, other] = [await withInbox(), await withInbox()];
    expect(one.address).not.toBe(other.address);
    await post(one.address, '{"text":"for one"}');
    expect(await pushText(one.user)).toContain('for one');
    expect(await pushText(other.user)).not.toContain('for one');
    // The redirect URI of one, which its customers see, gives nothing to another TPP.
    const [uri = ''] = /http[^\s<"]+\/workspace\/return\/[\w.-]+/.exec(await overviewOf(one.user)) ?? [];
    expect(uri).not.toBe('');
    const third = await WorkspaceUser.register(world.baseUrl, 'Curious');
    await third.signIn();
    await third.post('/workspace/redirect-uris', { redirectUri: uri }, await third.csrf('/workspace/clock'));
    expect(await overviewOf(third)).toContain(uri);
    expect(await pushText(third)).not.toContain('for one');
    expect(await pushText(third)).toContain('Create an inbox');
    expect((await post(uri.replace('/workspace/return/', '/inbox/'), '{}')).status).toBe(404);
  });

  it('exists only at the exact address: another is 404, with the same answer', async () => {
    const { user, address } = await withInbox();
    const ofPage = async (other: string): Promise<unknown> => {
      const answer = await post(other, '{"text":"lost"}');
      return [answer.status, await answer.text()];
    };
    const last = address.endsWith('A') ? 'B' : 'A';
    const unknown = `${world.baseUrl}/inbox/${'A'.repeat(22)}.${'A'.repeat(22)}`;
    const expected = await ofPage(unknown);
    expect(expected).toEqual([404, expect.stringContaining('RESOURCE_UNKNOWN')]);
    for (const wrong of [`${address.slice(0, -1)}${last}`, `${address}A`, `${world.baseUrl}/inbox/x`])
      expect(await ofPage(wrong)).toEqual(expected);
    expect(await pushText(user)).not.toContain('lost');
  });

  it('shows what strangers send as text, as not verified, and in parts if it is long (XSS)', async () => {
    const { user, address } = await withInbox();
    const evil = '"><img src=x onerror=alert(1)>';
    const headers = { 'content-type': `text/html; x="${evil}"`, 'x-jws-signature': evil };
    await fetch(address, { method: 'POST', body: `${evil}${'é'.repeat(5000)}`, headers });
    expect((await post(address, 'x'.repeat(64 * 1024 + 1))).status).toBe(413);
    const text = await pushText(user);
    expect(text).toContain('&lt;img');
    expect(text).not.toContain('<img');
    expect(text).toContain('X-JWS-Signature is not a detached JWS');
    expect(text).toContain('The first 4000 of');
    expect(text).not.toContain('é'.repeat(4001));
  });
});

const overviewOf = async (user: WorkspaceUser): Promise<string> => (await user.get('/workspace')).text();
