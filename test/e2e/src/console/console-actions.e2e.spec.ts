// Lane: long (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import { World } from '@xs2a/test-support/world';
import { domesticPath, domesticPayment, initiate, until } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, visitor, type Visitor } from '../pages/screens.js';
import { StaffBrowser } from './staff-browser.js';
import { hiddenIn } from './staff-page.js';

let world: World;
let browser: Browser;
let url: string;
let owner: ReturnType<typeof createPool>;

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
  owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'console-actions', max: 1 });
  browser = await launchBrowser();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await owner.end();
  await world.stop();
});

const openAs = async (staff: string, path: string): Promise<Visitor> => {
  const visit = await visitor(browser, 'en', 1280, 360);
  await visit.page.goto(`${url}${path}`);
  await visit.page.click(`button[value=${staff}]`);
  await visit.page.waitForURL((at) => at.origin === url);
  return visit;
};
const shows = async (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).first().waitFor({ timeout: 10_000 });

const lockedPsu = async (): Promise<FreshPsu> => {
  const psu = await world.person();
  for (let failed = 0; failed < 5; failed += 1) {
    const psuBrowser = world.browser();
    const page = await psuBrowser.open(`${world.baseUrl}/sca/payments`);
    await psuBrowser.submit(page, { psuId: psu.psuId, password: 'wrong' }, 'approve');
  }
  return psu;
};
/** The logs of all services, and the console's tables except bodies of calls in the sandbox. */
const everythingStored = async (): Promise<string> => {
  const logs = globSync('logs/*', { cwd: world.dataDir }).map((file) =>
    readFileSync(join(world.dataDir, file), 'utf8'),
  );
  expect(logs.length).toBeGreaterThan(5);
  const { rows } = await owner.query<{ all: string }>(
    `SELECT query_to_xml('SELECT * FROM console.' || relname, true, false, '')::text AS all
     FROM pg_class WHERE relnamespace = 'console'::regnamespace AND relkind IN ('r', 'p')
       AND relname <> 'call_content'`,
  );
  return [...logs, ...rows.map(({ all }) => all)].join('\n');
};

describe('actions of the staff', () => {
  it('support lifts an SCA lock with a reason, and the auditor sees who did it, but not for whom', async () => {
    const psu = await lockedPsu();
    const { page, context, look } = await openAs('support', '/psus');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await look('console-psus');
    await page.getByLabel('PSU-ID').fill(psu.psuId);
    await page.getByRole('button', { name: 'Show' }).click();
    await shows(page, /SCA is locked until/);
    await shows(page, '5 failures in a row');
    await page.getByText('When they were').click();
    expect(await page.locator('details li time').count()).toBe(5);
    await look('console-psu');
    await page.locator('form[action="/psus/lift-sca-lock"]').getByLabel('Reason').fill('case 4711');
    await page.getByRole('button', { name: 'Lift the lock' }).click();
    await page.waitForURL(/\/actions\/[0-9a-f-]{36}$/);
    await shows(page, /The SCA lock until .+ UTC is lifted/);
    await look('console-action');
    await page.getByRole('link', { name: 'Back to PSUs' }).click();
    await page.getByLabel('PSU-ID').fill(psu.psuId);
    await page.keyboard.press('Enter');
    await shows(page, 'SCA is not locked');
    expect(addresses.filter((address) => address.includes(psu.psuId))).toEqual([]);
    await context.close();

    const auditor = await openAs('auditor', '/');
    await shows(auditor.page, 'case 4711');
    await auditor.page.getByRole('link', { name: 'Verify the whole chain' }).click();
    await shows(auditor.page, /The chain of \d+ records is complete/);
    await auditor.look('console-actions');
    expect(await auditor.page.content()).not.toContain(psu.psuId);
    await auditor.context.close();
    expect(await everythingStored()).not.toContain(psu.psuId);
  }, 90_000);

  it('shows to support, after a reason, what waits for the approval of a PSU and until when SCA is locked', async () => {
    const psu = await lockedPsu();
    const tpp = world.tpp();
    const body = domesticPayment(psu.accounts[0]?.iban ?? '', '12.50', { creditorName: 'Canary Ltd' });
    const headers = { 'PSU-ID': psu.psuId };
    const { paymentId } = await initiate(tpp, await tpp.applicationToken(), body, headers);
    const { page, context, look } = await openAs('support', '/psus');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.getByLabel('PSU-ID').fill(psu.psuId);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Find open approvals').click();
    await look('console-psu-approvals-form');
    const form = page.locator('form[action="/psus/approvals"]');
    await form.getByLabel('Reason').fill('case 4714');
    await form.getByRole('button', { name: 'Find' }).click();
    await shows(page, 'Open approvals, newest first');
    await shows(page, paymentId);
    await shows(page, 'has not signed in');
    await shows(page, /SCA is locked until/);
    await shows(page, '19 of 20 reveals are left within the hour');
    await look('console-psu-approvals');
    for (const secret of ['Canary', psu.accounts[0]?.iban ?? '', '12.50'])
      expect(await page.content()).not.toContain(secret);
    expect(addresses.filter((address) => address.includes(psu.psuId))).toEqual([]);
    await context.close();
    const auditor = await openAs('auditor', '/actions?act=find-approvals');
    await shows(auditor.page, 'case 4714');
    expect(await auditor.page.content()).not.toContain(psu.psuId);
    await auditor.context.close();
    expect(await everythingStored()).not.toContain(psu.psuId);
  }, 90_000);

  it('act once if a form is sent twice, and the second answer shows the first outcome', async () => {
    const psu = await lockedPsu();
    const staff = new StaffBrowser(url);
    const csrf = hiddenIn(await (await staff.signIn('support', '/psus')).text(), '/psus')['csrf'] ?? '';
    const ask = async (): Promise<string> =>
      (
        await staff.send('/psus', { method: 'POST', body: new URLSearchParams({ csrf, psuId: psu.psuId }) })
      ).text();
    const form = { ...hiddenIn(await ask(), '/psus/lift-sca-lock'), reason: 'case 4712' };
    const lift = async (changes: Record<string, string> = {}): Promise<Response> =>
      staff.send('/psus/lift-sca-lock', {
        method: 'POST',
        body: new URLSearchParams({ ...form, ...changes }),
      });
    for (const reason of [
      '',
      'ab',
      'x'.repeat(501),
      'a\0b',
      `for ${psu.psuId}`,
      'BG80 BNBG 9661 1020 3456 78',
    ])
      expect([reason, (await lift({ reason })).status]).toEqual([reason, 400]);
    for (const change of [{ action: 'x' }, { psuId: '' }, { psuId: 'x'.repeat(65) }, { psuId: 'a\0' }])
      expect([change, (await lift(change as never)).status]).toEqual([change, 400]);
    const answers = await Promise.all([lift(), lift(), lift()]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const places = new Set(answers.map(({ headers }) => headers.get('location')));
    expect(places.size).toBe(1);
    const [place = ''] = places as Set<string>;
    const shown = await until(
      async () => (await staff.open(place)).text(),
      (text) => !text.includes('under way'),
    );
    expect(shown).toContain('is lifted.');
    // Another action finds nothing to lift.
    await lift({ action: crypto.randomUUID() });
    const auditor = new StaffBrowser(url);
    const list = await (await auditor.signIn('auditor', '/actions')).text();
    expect(list.match(/case 4712/g)).toHaveLength(2);
    expect(list.match(/SCA was not locked for this PSU\./g)).toHaveLength(1);
    expect(list).not.toContain(psu.psuId);
    const other = new StaffBrowser(url);
    expect((await other.signIn('ivanova', place)).status).toBe(200);
    const viewer = new StaffBrowser(url);
    expect((await viewer.signIn('viewer', place)).status).toBe(403);
  }, 60_000);

  it('say that auth does not answer, and record an action without an answer as failed', async () => {
    const { page, context } = await openAs('support', '/psus');
    const psu = await lockedPsu();
    await page.getByLabel('PSU-ID').fill(psu.psuId);
    await page.keyboard.press('Enter');
    await shows(page, /SCA is locked until/);
    await page.locator('form[action="/psus/lift-sca-lock"]').getByLabel('Reason').fill('case 4713');
    const { pid } = world.sandbox.services.auth;
    process.kill(pid, 'SIGSTOP');
    try {
      await page.getByRole('button', { name: 'Lift the lock' }).click();
      await shows(page, /auth did not answer\. The action may have been done all the same/);
      await page.getByRole('link', { name: 'Back to PSUs' }).click();
      await page.getByLabel('PSU-ID').fill(psu.psuId);
      await page.keyboard.press('Enter');
      await shows(page, /auth did not answer: this page does not show whether SCA is locked/);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await context.close();
  }, 60_000);

  it('an operator blocks and unblocks a TPP', async () => {
    const tpp = world.tpp('sandbox-tpp-2');
    const { page, context, look } = await openAs('ivanova', '/tpps');
    await look('console-tpps');
    await page.locator('a[href="/tpps/sandbox-tpp-2"]').click();
    await look('console-tpp');
    await page.locator('form[action="/tpps/block"]').getByLabel('Reason').fill('asked by the supervisor');
    await page.getByRole('button', { name: 'Block this TPP' }).click();
    await shows(page, /is blocked\./);
    await expect(tpp.applicationToken()).rejects.toThrow(/invalid_client|401/);
    await page.goto(`${url}/tpps/sandbox-tpp-2`);
    await page.locator('form[action="/tpps/unblock"]').getByLabel('Reason').fill('the supervisor agrees');
    await page.getByRole('button', { name: 'Unblock this TPP' }).click();
    await shows(page, /is active\./);
    const token = await until(
      async () => tpp.applicationToken().catch(() => ''),
      (text) => text !== '',
    );
    expect((await tpp.call('GET', `${domesticPath}/x`, token)).status).not.toBe(401);
    await page.goto(`${url}/actions?act=block-tpp`);
    await shows(page, 'asked by the supervisor');
    await context.close();
    const viewer = await openAs('viewer', '/tpps/sandbox-tpp-2');
    expect(await viewer.page.getByRole('button', { name: 'Block this TPP' }).count()).toBe(0);
    await viewer.context.close();
  }, 60_000);

  it('an operator gives a TPP a new secret, which one page shows and nothing records', async () => {
    const path = '/tpps/sandbox-tpp-2';
    const staff = new StaffBrowser(url);
    const form = {
      ...hiddenIn(await (await staff.signIn('ivanova', path)).text(), '/tpps/rotate-secret'),
      reason: 'case 4714',
    };
    const send = async (): Promise<string> => {
      const body = new URLSearchParams(form);
      return (await staff.send('/tpps/rotate-secret', { method: 'POST', body })).text();
    };
    const [, secret = ''] = /<dd class="mono">([\w-]{43})<\/dd>/.exec(await send()) ?? [];
    expect(secret).toHaveLength(43);
    await expect(world.tpp('sandbox-tpp-2').applicationToken()).rejects.toThrow(/invalid_client|401/);
    expect(await send()).toContain('No secret is shown: the form was sent before');
    expect(await everythingStored()).not.toContain(secret);
  }, 60_000);
});
