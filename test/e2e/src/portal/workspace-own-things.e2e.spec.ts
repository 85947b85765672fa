// Lane: long (a part of the portal, with applications of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consentBody, dayFrom, domesticPath, domesticPayment, sandboxNow } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { Browser } from 'playwright-core';
import { launchBrowser, visitor, type Visitor } from '../pages/screens.js';
import { WorkspaceUser } from './workspace-user.js';

let world: World;
let browser: Browser;
let visit: Visitor;
beforeAll(async () => {
  world = await World.ofLane();
  browser = await launchBrowser();
  visit = await visitor(browser, 'en', 320, 360, 1280);
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});
const newUser = async (): Promise<WorkspaceUser> => WorkspaceUser.register(world.baseUrl, 'My shop');

describe('the payments and consents of an application in the workspace (contract 13)', () => {
  it('shows a payment with what happened to it, and settles it', async () => {
    const { page } = visit;
    const user = await newUser();
    const person = await world.person();
    const { paymentId, _links } = await user.create<{
      paymentId: string;
      _links: { scaRedirect: { href: string } };
    }>(domesticPath, { json: domesticPayment(person.accounts[0]?.iban ?? '') });
    await user.signIn();
    const path = `/workspace/payments/${paymentId}`;
    const early = await user.post(path, { action: 'settle' }, await user.csrf(path));
    expect(await early.text()).toContain('STATUS_INVALID');
    await walkAndApprove(world.browser(), _links.scaRedirect.href, person);

    await user.signInAt(page, '/workspace/payments');
    await visit.check('workspace payments');
    await page.locator(`a[href="${path}"]`).click();
    await page.getByRole('button', { name: 'Settle now' }).click();
    await visit.check('workspace payment');
    expect(await page.locator('ol.rows').textContent()).toContain('ACSC');
    await page.goto(`${world.baseUrl}/workspace/consents`);
    await visit.check('workspace consents');

    const other = await newUser();
    await other.signIn();
    const csrf = await other.csrf('/workspace/payments');
    for (const answer of [await other.get(path), await other.post(path, { action: 'expire' }, csrf)])
      expect(answer.status).toBe(404);
    expect(await (await other.get('/workspace/payments')).text()).not.toContain(paymentId);
    await page.getByRole('button', { name: 'Sign out' }).click();
  });

  it('starts a signature of a payment, which the customer gives on the bank’s page, and cancels the payment', async () => {
    const { page } = visit;
    const user = await newUser();
    const person = await world.person();
    const { paymentId } = await user.create<{ paymentId: string }>(domesticPath, {
      json: domesticPayment(person.accounts[0]?.iban ?? ''),
    });
    await user.signInAt(page, `/workspace/payments/${paymentId}`);
    await page.getByRole('button', { name: 'Sign as the customer' }).click();
    await visit.check('workspace payment to sign');
    const link = page.getByRole('link', { name: 'Open the bank’s page' });
    await walkAndApprove(world.browser(), (await link.getAttribute('href')) ?? '', person);
    await page.goto(`${world.baseUrl}/workspace/payments/${paymentId}`);
    expect(await page.locator('ol.rows').textContent()).toContain('signed');
    expect(await page.getByRole('button', { name: 'Sign as the customer' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Clock' }).click();
    await visit.check('workspace clock with what falls due');
    const due = page.locator('ul.calls li', { hasText: /^\s*\d{4}-.*12\.50/s });
    expect(await due.textContent()).toContain('12.50 BGN');
    await due.getByRole('link').click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('status').textContent()).toBe('The payment is cancelled.');
    expect(await page.locator('ol.rows').textContent()).toContain('CANC');
    expect(await page.getByText('This payment has ended.').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
  });

  it('starts a signature of a consent for one of several signers, and ends the consent', async () => {
    const { page } = visit;
    const user = await newUser();
    const { iban, signers } = await world.corporate(2, 2);
    const [first, second] = signers;
    if (first === undefined || second === undefined) throw new Error('two signers');
    await user.create('/v1/consents', {
      json: consentBody([iban], dayFrom(await sandboxNow(world), 30)),
      headers: { 'psu-id': first.psuId },
    });
    await user.signInAt(page, '/workspace/consents');
    for (const signer of [first, second]) {
      await page.getByRole('button', { name: 'Sign as the customer' }).click();
      expect(await page.getByRole('alert').textContent()).toContain('PSU-ID');
      await page.getByText('Several people sign').click();
      await page.getByLabel('PSU-ID').fill(signer.psuId);
      await page.getByRole('button', { name: 'Sign as the customer' }).click();
      const link = page.getByRole('link', { name: 'Open the bank’s page' });
      await walkAndApprove(world.browser(), (await link.getAttribute('href')) ?? '', signer);
    }
    await page.goto(`${world.baseUrl}/workspace/consents`);
    await visit.check('workspace consent');
    expect(await page.locator('.pill').textContent()).toBe('valid');
    const clock = await page.request.get(`${world.baseUrl}/workspace/clock`);
    expect(await clock.text()).toContain('consent</a> ends');
    await page.getByRole('button', { name: 'End' }).click();
    expect(await page.getByRole('status').textContent()).toBe('The consent has ended.');
    expect(await page.locator('.pill').textContent()).toBe('terminatedByTpp');
    await page.locator('a[href^="/workspace/consents/"]').click();
    await visit.check('workspace consent with what happened');
    expect(await page.locator('ol.rows').textContent()).toMatch(
      /created.*partly-authorised.*authorised.*terminated-by-tpp/s,
    );
    const { pathname } = new URL(page.url());
    await page.getByRole('button', { name: 'Sign out' }).click();
    const other = await newUser();
    await other.signIn();
    expect((await other.get(pathname)).status).toBe(404);
  });

  it('shows why a consent was rejected that its customer had approved', async () => {
    const { page } = visit;
    const user = await newUser();
    const person = await world.person();
    const [{ iban } = { iban: '' }] = person.accounts;
    const references = [{ iban, currency: 'USD' }];
    const access = { accounts: references, balances: references, transactions: references };
    const { consentId, _links } = await user.create<{
      consentId: string;
      _links: { scaRedirect: { href: string } };
    }>('/v1/consents', {
      json: { ...consentBody([iban], dayFrom(await sandboxNow(world), 30)), access },
      headers: { 'psu-id': person.psuId },
    });
    await walkAndApprove(world.browser(), _links.scaRedirect.href, person);
    await user.signInAt(page, `/workspace/consents/${consentId}`);
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain('This consent has ended.');
    expect(text).toContain('not-the-account-owner: an account in access is not the PSU’s, is closed, or has');
    await page.getByRole('button', { name: 'Sign out' }).click();
  });
});
