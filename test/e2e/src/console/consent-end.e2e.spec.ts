// Lane: long (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { consentBody, dayFrom, present, sandboxNow } from '@xs2a/test-support/requests';
import { authorise, bodyOf, registerTpp } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../pages/screens.js';
import { StaffBrowser } from './staff-browser.js';
import { hiddenIn, openAs, shows } from './staff-page.js';

let world: World;
let browser: Browser;
let url: string;
let receiver: HttpReceiver;
let tpp: TppClient;

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
  browser = await launchBrowser();
  receiver = await HttpReceiver.start();
  tpp = new TppClient(
    world.baseUrl,
    await registerTpp(world.baseUrl, 'Account app', `${receiver.url}/callback`),
  );
}, 90_000);
afterAll(async () => {
  await browser.close();
  await receiver.stop();
  await world.stop();
});

/** A valid consent whose TPP is notified, with a token for it. */
const validConsent = async (): Promise<{ readonly consentId: string; readonly token: string }> => {
  const psu = await world.person();
  const validUntil = dayFrom(await sandboxNow(world), 10);
  const answer = await tpp.call('POST', '/v1/consents', await tpp.applicationToken('PSP_AI'), {
    json: consentBody([psu.accounts[0]?.iban ?? ''], validUntil),
    headers: { 'psu-id': psu.psuId, 'tpp-notification-uri': `${receiver.url}/push` },
  });
  const { consentId } = bodyOf<{ consentId: string }>(answer, 201);
  const tokens = await authorise(tpp, psu, 'PSP_AI', consentId, world.browser());
  return { consentId, token: tokens.access_token };
};
const accountsStatus = async (token: string): Promise<number> =>
  (await tpp.call('GET', '/v1/accounts', token, present)).status;

describe('the end of a consent on its page', () => {
  it('takes the access away at once, notifies the TPP, and is recorded with its reason', async () => {
    const { consentId, token } = await validConsent();
    expect(await accountsStatus(token)).toBe(200);
    const { page, context, check } = await openAs({ browser, url }, 'ivanova', `/consents/${consentId}`);
    await shows(page, 'The PSU can give a new consent.');
    await shows(page, `xs2a consents end ${consentId} --reason REASON`);
    await check('console-consent-end');
    await page.locator('form[action="/consents/end"]').getByLabel('Reason').fill('case 4711');
    await page.getByRole('button', { name: 'End this consent' }).click();
    await shows(page, 'The consent is expired.');
    expect(await accountsStatus(token)).toBe(401);
    while (!receiver.posts.some(({ body }) => body.includes(consentId) && body.includes('"expired"')))
      await receiver.received(receiver.posts.length + 1);
    await page.getByRole('link', { name: 'Back to the consent' }).click();
    await page.waitForURL(`${url}/consents/${consentId}`);
    await shows(page, 'expired – reason ended-by-bank');
    expect(await page.getByRole('button', { name: 'End this consent' }).count()).toBe(0);
    await page.goto(`${url}/actions?act=end-consent`);
    await shows(page, 'case 4711');
    await context.close();
  }, 60_000);

  it('acts once if the form is sent twice, and is offered to operators only', async () => {
    const { consentId } = await validConsent();
    const staff = new StaffBrowser(url);
    const text = await (await staff.signIn('ivanova', `/consents/${consentId}`)).text();
    const form = { ...hiddenIn(text, '/consents/end'), reason: 'case 4712' };
    const send = async (changes: Record<string, string> = {}): Promise<Response> =>
      staff.send('/consents/end', { method: 'POST', body: new URLSearchParams({ ...form, ...changes }) });
    for (const change of [{ reason: '' }, { consentId: 'x' }, { action: 'x' }])
      expect([change, (await send(change as never)).status]).toEqual([change, 400]);
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    await send({ action: crypto.randomUUID() });
    const actions = await (await staff.open('/actions?act=end-consent')).text();
    expect(actions.match(/The consent is expired\./g)).toHaveLength(2);
    expect(actions.match(/The consent had ended before: expired\./g)).toHaveLength(1);
    for (const other of ['petrov', 'viewer']) {
      const page = await (await new StaffBrowser(url).signIn(other, `/consents/${consentId}`)).text();
      expect(page).toContain(consentId);
      expect(page).not.toContain('End this consent');
    }
  }, 60_000);
});
