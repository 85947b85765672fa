import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { domesticPayment, initiate, until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { parseJson, send } from '@xs2a/tpp-client/http';
import type { Browser } from 'playwright-core';
import { launchBrowser, visitor, type Visitor } from '../pages/screens.js';
import { WorkspaceUser } from './workspace-user.js';

let world: World;
let browser: Browser;
let visit: Visitor;
let receiver: HttpReceiver;
let tpp: TppClient;
beforeAll(async () => {
  [world, receiver] = await Promise.all([World.ofLane(), HttpReceiver.start()]);
  browser = await launchBrowser();
  visit = await visitor(browser, 'en', 320, 360, 1280);
  const redirectUri = `${receiver.url}/callback`;
  const json = { name: 'Notified', redirectUris: [redirectUri], roles: ['PSP_AI', 'PSP_PI'] };
  const registered = await send('POST', `${world.baseUrl}/sandbox/tpps`, { json });
  tpp = new TppClient(world.baseUrl, {
    ...parseJson<{ clientId: string; clientSecret: string }>(registered),
    redirectUri,
  });
}, 90_000);
afterAll(async () => {
  await browser.close();
  await receiver.stop();
  await world.stop();
});

interface Shown {
  readonly notificationId: string;
  readonly state: string;
}
/** Waits until the only notification has this state. */
const untilState = async (state: string): Promise<Shown> => {
  const bearer = await tpp.applicationToken();
  const [shown] = await until(
    async () =>
      parseJson<{ notifications: Shown[] }>(await tpp.call('GET', '/sandbox/notifications', bearer))
        .notifications,
    ([one]) => one?.state === state,
  );
  if (shown === undefined) throw new Error('no notification');
  return shown;
};

describe('the page Push of the workspace (contract 13)', () => {
  it('shows a notification with each answer, gives it up and sends it again', async () => {
    receiver.behaviour = () => 500;
    const token = await tpp.applicationToken();
    const { accounts } = await world.person('100.00');
    const { paymentId } = await initiate(tpp, token, domesticPayment(accounts[0]?.iban ?? ''), {
      'tpp-notification-uri': `${receiver.url}/push`,
    });
    await tpp.call('POST', `/sandbox/payments/${paymentId}/expire`, token);
    await receiver.received(1);

    const { page } = visit;
    await page.goto(`${world.baseUrl}/workspace/push`);
    await page.getByLabel('Client id').fill(tpp.credentials.clientId);
    await page.getByLabel('Client secret').fill(tpp.credentials.clientSecret ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await until(
      async () => {
        await page.reload();
        return page.locator('main').textContent();
      },
      (text) => text?.includes('HTTP 500') === true,
    );
    await visit.check('workspace push');
    await page.getByRole('button', { name: 'Make it a dead letter' }).click();
    expect(await page.getByRole('status').textContent()).toContain('The notification is a dead letter.');
    await untilState('deadLetter');

    receiver.behaviour = () => 204;
    await page.getByRole('button', { name: 'Send it again' }).click();
    expect(await page.getByRole('status').textContent()).toBe('The notification is sent again.');
    await untilState('delivered');
    await page.goto(`${world.baseUrl}/workspace/push`);
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain('HTTP 204');
    expect(text).toContain(`"paymentId":"${paymentId}"`);
    expect(text).toContain(String(receiver.posts.at(-1)?.headers['x-jws-signature']));
  }, 60_000);

  it('shows and changes nothing of another application, and nothing without the CSRF token', async () => {
    const { notificationId } = await untilState('delivered');
    const other = await WorkspaceUser.register(world.baseUrl, 'Another shop');
    await other.signIn();
    const answer = await other.get('/workspace/push');
    const text = await answer.text();
    expect([answer.status, text.includes('No notifications.')]).toEqual([200, true]);
    expect(text).not.toContain(notificationId);
    const form = { notificationId, action: 'replay' };
    const csrf = await other.csrf('/workspace/clock');
    expect(await (await other.post('/workspace/push', form, csrf)).text()).toContain('RESOURCE_UNKNOWN');
    expect((await other.post('/workspace/push', form)).status).toBe(403);
    for (const wrong of [{ action: '../../x' }, { notificationId: '../clock' }])
      expect((await other.post('/workspace/push', { ...form, ...wrong }, csrf)).status).toBe(404);
    await untilState('delivered');
  });
});
