// Lane: long (a part of the portal, with applications of its own).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { launchBrowser, visitor } from '../pages/screens.js';
import { CertifiedTpp } from './certified-tpp.js';
import { WorkspaceUser } from './workspace-user.js';

let world: World;
let application: CertifiedTpp;
let user: WorkspaceUser;
beforeAll(async () => {
  world = await World.start({ gateway: { CALL_BODIES: 'true' } });
}, 90_000);
beforeEach(async () => {
  const { accounts } = await world.person('100.00');
  application = await CertifiedTpp.start(world.baseUrl, accounts[0]?.iban ?? '');
  const json = {
    name: 'Certified',
    redirectUris: [`${application.url}/callback`],
    roles: ['PSP_AI', 'PSP_PI'],
  };
  const registered = await send('POST', `${world.baseUrl}/sandbox/tpps`, { json });
  user = new WorkspaceUser(world.baseUrl, parseJson<{ clientId: string; clientSecret: string }>(registered));
  application.connect(user.credentials);
  await user.signIn();
});
afterAll(async () => {
  await world.stop();
});

/** The ids of the situations with this result on the page. */
const listed = async (result: 'shown' | 'failed'): Promise<string[]> => {
  const text = await (await user.get('/workspace/certify')).text();
  return text.split('<li id="').flatMap((row) => {
    const [, id, word] = /^([\w-]+)">[\s\S]*?<span class="pill \w+"\s*>([\w ]+)</.exec(row) ?? [];
    return id !== undefined && word === result ? [id] : [];
  });
};
/** Presses the button of a situation. */
const provoke = async (situation: string): Promise<string> => {
  const csrf = await user.csrf('/workspace/certify');
  const answer = await user.post('/workspace/certify', { situation }, csrf);
  expect(answer.status).toBe(200);
  return answer.text();
};
/** Starts a payment that expires, and waits until the application has accepted the notification. */
const beNotified = async (): Promise<void> => {
  const { paymentId } = await application.pay({ endToEndIdentification: 'E2E-4' });
  const token = await user.token();
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${world.baseUrl}/sandbox/payments/${paymentId}/expire`, { method: 'POST', headers });
  await until(
    async () => {
      const answer = await fetch(`${world.baseUrl}/sandbox/notifications`, { headers });
      return (await answer.json()) as { notifications: { state: string }[] };
    },
    ({ notifications: [newest] }) => newest?.state === 'delivered',
  );
};

describe('the page Certify of the workspace', () => {
  it('shows what a sound application has done, and no failure', async () => {
    await provoke('unavailable');
    const payment = await application.pay();
    await provoke('lost-answer');
    const token = await user.token();
    await expect(application.post(token, { 'idempotency-key': 'lost' })).rejects.toThrow('fetch failed');
    expect(await application.post(token, { 'idempotency-key': 'lost' })).toBe(201);
    await provoke('read-unavailable');
    await application.xs2a.payments.status(payment);
    await expect(application.pay({ creditorName: '' })).rejects.toMatchObject({ code: 'FORMAT_ERROR' });
    await application.pay({ endToEndIdentification: 'E2E-3' });
    await application.xs2a.payments.cancel(payment);
    await provoke('foreign-code');
    await provoke('redirect-error');
    await provoke('refused');
    await beNotified();
    await provoke('push-forged');
    await provoke('push-repeated');
    expect(
      await until(
        async () => listed('shown'),
        (ids) => ids.includes('push-repeated'),
      ),
    ).toEqual(
      expect.arrayContaining([
        'own-key',
        'unavailable',
        'lost-answer',
        'read-unavailable',
        'refused-body',
        'ip-address',
        'token-in-url',
        'foreign-code',
        'redirect-error',
        'expired',
        'cancelled',
        'push-accepted',
        'push-forged',
        'push-repeated',
      ]),
    );
    expect(await listed('failed')).toEqual([]);
    await application.stop();
  }, 120_000);

  it.each([
    ['posts-twice-without-key', 'own-key'],
    ['posts-twice-with-request-ids', 'own-key'],
    ['new-key-after-503', 'unavailable'],
    ['token-in-url', 'token-in-url'],
    ['no-nok-page', 'refused'],
    ['accepts-forgeries', 'push-forged'],
  ] as const)(
    'finds of an application that %s only that %s fails',
    async (fault, situation) => {
      application.faults.add(fault);
      const token = await user.token();
      if (fault === 'posts-twice-without-key') {
        await application.post(token, {});
        await application.post(token, {});
      } else if (fault === 'posts-twice-with-request-ids') {
        await application.post(token, { 'x-request-id': randomUUID() });
        await application.post(token, { 'x-request-id': randomUUID() });
      } else if (fault === 'new-key-after-503') {
        await provoke('unavailable');
        expect(await application.post(token, { 'idempotency-key': 'first' })).toBe(503);
        await application.post(token, { 'idempotency-key': 'second' });
      } else if (fault === 'token-in-url') {
        await application.post(token, { 'idempotency-key': 'one' }, `?access_token=${token}`);
      } else if (fault === 'no-nok-page') {
        await application.pay();
        await provoke('refused');
      } else {
        await beNotified();
        await provoke('push-forged');
      }
      expect(await listed('failed')).toEqual([situation]);
      await application.stop();
    },
    60_000,
  );

  it('is read without script on a phone and on a desktop, and so is its report', async () => {
    const browser: Browser = await launchBrowser();
    const visit = await visitor(browser, 'en', 360, 1280);
    await application.pay();
    await user.signInAt(visit.page, '/workspace/certify');
    await visit.check('workspace certify');
    await visit.page.getByRole('link', { name: 'Report to print' }).click();
    await visit.check('workspace certify report');
    expect(await visit.page.locator('tbody tr').count()).toBe(40);
    await browser.close();
    await application.stop();
  }, 120_000);

  it('shows nothing of another application', async () => {
    await application.pay();
    const other = await WorkspaceUser.register(world.baseUrl, 'Other');
    await other.signIn();
    const text = await (await other.get('/workspace/certify')).text();
    expect(text).toContain('0 of 40 shown, 0 failed, 40 not yet.');
    await application.stop();
  });
});
