// Lane: long (a part of the portal, with applications of its own).
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
  world = await World.ofLane();
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
    const text = await untilPage(user, 'signature verified');
    expect(text).not.toContain('not verified');
    expect(text).toContain('HTTP 204');
    await page.reload();
    await page.getByText('Headers and body').first().click();
    expect(await page.getByRole('region', { name: 'Inbox' }).textContent()).toContain(
      `"paymentId":"${paymentId}"`,
    );
    await visit.check('workspace inbox');
  }, 60_000);

  it('fails on purpose as often as planned, until the bank’s retry is delivered', async () => {
    const { user, address } = await withInbox();
    const csrf = await user.csrf(pushPath);
    const plan = { failure: 'HTTP 500', answers: '2' };
    expect((await user.post('/workspace/push/inbox/failures', plan, csrf)).status).toBe(303);
    expect(await pushText(user)).toContain('The next 2 answers are: HTTP 500.');
    await expirePayment(user, address);
    const text = await untilPage(user, 'HTTP 204');
    // Newest first: each attempt is an entry.
    expect(answersIn(text)).toEqual(['HTTP 204', 'HTTP 500', 'HTTP 500']);
    expect(text).toContain('Let the next answers fail');
    await untilState(user, 'delivered');
  }, 30_000);

  it('is silent on purpose, so that the bank gives up waiting; a dead letter can be sent again', async () => {
    const { user, address } = await withInbox();
    const csrf = await user.csrf(pushPath);
    await user.post('/workspace/push/inbox/failures', { failure: 'no answer', answers: '10' }, csrf);
    await expirePayment(user, address);
    // The retry after a second may have taken another.
    expect(await untilPage(user, 'no answer in time')).toMatch(/The next \d answers are: no answer\./);
    const [{ notificationId } = { notificationId: '' }] = await notificationsOf(user);
    await user.post(pushPath, { notificationId, action: 'dead-letter' }, csrf);
    await untilState(user, 'deadLetter');
    expect((await user.post('/workspace/push/inbox/failures/end', {}, csrf)).status).toBe(303);
    await user.post(pushPath, { notificationId, action: 'replay' }, csrf);
    const text = await untilPage(user, 'answered HTTP 204');
    expect(answersIn(text)[0]).toBe('HTTP 204');
    expect(text).not.toContain('not verified');
  }, 60_000);

  it('fails only as the form offers it, from one to ten times, and only with the CSRF token', async () => {
    const { user } = await withInbox();
    const csrf = await user.csrf(pushPath);
    const send = async (form: Readonly<Record<string, string>>, token?: string): Promise<Response> =>
      user.post('/workspace/push/inbox/failures', form, token);
    for (const answers of ['0', '11', '-1', '1.5', '1e1', '', 'x']) {
      const answer = await send({ failure: 'HTTP 500', answers }, csrf);
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringContaining('The number of answers must be from 1 to 10.'),
      ]);
    }
    expect((await send({ failure: 'HTTP 200', answers: '1' }, csrf)).status).toBe(404);
    expect((await send({ failure: 'HTTP 500', answers: '1' })).status).toBe(403);
    expect(await pushText(user)).toContain('Let the next answers fail');
    const without = await WorkspaceUser.register(world.baseUrl, 'No inbox');
    await without.signIn();
    const form = { failure: 'HTTP 500', answers: '1' };
    const answer = await without.post(
      '/workspace/push/inbox/failures',
      form,
      await without.csrf('/workspace/clock'),
    );
    expect(answer.status).toBe(404);
  });

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
    expect(await (await one.user.get(`${new URL(uri).pathname}?state=known`)).text()).toContain(
      'state=known',
    );
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

/** Waits until the page Push contains the text, and returns the page. */
const untilPage = async (user: WorkspaceUser, wanted: string): Promise<string> =>
  until(
    async () => pushText(user),
    (text) => text.includes(wanted),
  );
/** What the inbox answered, newest first. */
const answersIn = (text: string): readonly (string | undefined)[] =>
  [...text.matchAll(/answered (HTTP \d+|no answer)/g)].map(([, answer]) => answer);

interface Shown {
  readonly notificationId: string;
  readonly state: string;
}
const notificationsOf = async (user: WorkspaceUser): Promise<readonly Shown[]> => {
  const answer = await fetch(`${world.baseUrl}/sandbox/notifications`, {
    headers: { authorization: `Bearer ${await user.token()}` },
  });
  return ((await answer.json()) as { readonly notifications: readonly Shown[] }).notifications;
};
/** Waits until the only notification has this state. */
const untilState = async (user: WorkspaceUser, wanted: string): Promise<unknown> =>
  until(
    async () => notificationsOf(user),
    (notifications) => notifications.map(({ state }) => state).join() === wanted,
  );
const overviewOf = async (user: WorkspaceUser): Promise<string> => (await user.get('/workspace')).text();
