import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { World } from '@xs2a/test-support/world';
import { generateKeyPairSync } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { launchBrowser, visitor, type Visitor } from '../pages/screens.js';
import { type Credentials, WorkspaceUser } from './workspace-user.js';

let world: World;
let browser: Browser;
let visit: Visitor;
beforeAll(async () => {
  world = await World.start({ gateway: { CALL_BODIES: 'true' } });
  browser = await launchBrowser();
  visit = await visitor(browser, 'en', 320, 360, 1280);
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

const pages = ['', '/requests', '/try', '/payments', '/consents', '/push', '/people', '/clock'] as const;
const newUser = async (name = 'My shop'): Promise<WorkspaceUser> =>
  WorkspaceUser.register(world.baseUrl, name);

describe('the workspace of the developer portal (contract 1, 13)', () => {
  it('registers an application, shows its calls and why one was refused, and moves the clock', async () => {
    const { page } = visit;
    await page.goto(`${world.baseUrl}/`);
    await page.getByRole('link', { name: 'Open the workspace' }).click();
    await visit.check('workspace sign-in');
    await page.getByRole('link', { name: 'Register your application' }).click();
    await visit.check('workspace register');
    await page.getByLabel('Name').fill('Shop of Ivan');
    await page.getByRole('button', { name: 'Register' }).click();
    const credentials = (await page.locator('.code pre').textContent()) ?? '';
    const [, clientId = '', secret = ''] = /CLIENT_ID=(\S+)\nCLIENT_SECRET=(\S+)/.exec(credentials) ?? [];
    await visit.check('workspace registered');

    const token = await new WorkspaceUser(world.baseUrl, { clientId, clientSecret: secret }).token();
    const refused = await fetch(`${world.baseUrl}/v1/payments/domestic-credit-transfer-BGN`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"instructedAmount":{"currency":"BGN","amount":"12,50"}}',
    });
    expect(refused.status).toBe(400);

    await page.getByRole('link', { name: 'Open the workspace' }).click();
    await visit.check('workspace overview');
    await page.getByRole('link', { name: 'All requests' }).click();
    await visit.check('workspace requests');
    await page.getByRole('link', { name: 'initiatePayment' }).click();
    await visit.check('workspace request');
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain('FORMAT_ERROR');
    expect(text).toContain('Corrected request');
    expect(text).toContain('authorization: (hidden)');
    expect(text).not.toContain(token);

    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('button', { name: 'Create a person' }).click();
    await visit.check('workspace people');
    const person = (await page.locator('.code pre').textContent()) ?? '';
    const [iban = ''] = /BG\w{20}/.exec(person) ?? [];
    const deposit = page.getByRole('region', { name: 'Deposit money' });
    await deposit.getByLabel('IBAN').fill(iban);
    await deposit.getByRole('button').click();
    expect(await page.getByRole('status').textContent()).toBe('Deposited 100.00 BGN.');

    // The kept token has then expired, and is replaced without a new sign-in.
    await page.getByRole('link', { name: 'Clock' }).click();
    await page.getByRole('button', { name: '1 day the next' }).click();
    await visit.check('workspace clock');
    expect(await page.getByRole('status').textContent()).toContain('The clock has moved.');
    const moved = page.locator('ul.calls li', { hasText: 'P1D' });
    expect(await moved.textContent()).toMatch(/UTC\s+P1D\s+you/);
    await page.getByRole('link', { name: 'Requests' }).click();
    expect(await page.locator('h1').textContent()).toBe('Requests');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`${world.baseUrl}/workspace/people`);
    expect(new URL(page.url()).pathname).toBe('/workspace/sign-in');
  }, 60_000);

  it('shows the registration, adds a redirect URI, and replaces the secret: the new one works, the old one is refused', async () => {
    const { page } = visit;
    const user = await newUser('Shop & <b>Co</b>');
    await user.signInAt(page, '/workspace');
    expect(await page.locator('h1').textContent()).toBe('Shop & <b>Co</b>');
    await page.getByLabel('Redirect URI').fill('http://127.0.0.1:9999/back');
    await page.getByRole('button', { name: 'Add' }).click();
    expect(await page.locator('dl').textContent()).toContain('http://127.0.0.1:9999/back');
    await page.getByLabel('Redirect URI').fill('ftp://evil.example');
    await page.getByRole('button', { name: 'Add' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('FORMAT_ERROR');
    await visit.check('workspace registration');
    await page.getByRole('button', { name: 'New secret' }).click();
    const shown = (await page.locator('.code pre').textContent()) ?? '';
    const [, clientSecret = ''] = /CLIENT_SECRET=(\S+)/.exec(shown) ?? [];
    expect(clientSecret).not.toBe(user.credentials.clientSecret);
    await page.getByRole('link', { name: 'Open the workspace' }).click();
    expect(await page.locator('h1').textContent()).toBe('Shop & <b>Co</b>');
    expect(await (await user.signIn()).text()).toContain('The bank issues no token');
    expect((await user.signIn({ clientSecret })).status).toBe(303);
    await page.getByRole('button', { name: 'Sign out' }).click();
  });

  it('shows the public keys of an application, the day at the bank, and the client id on the start page', async () => {
    const { page } = visit;
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = { ...publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'ES256', use: 'sig' };
    const registered = await fetch(`${world.baseUrl}/sandbox/tpps`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Shop with a key',
        redirectUris: [`${world.baseUrl}/workspace/return`],
        roles: ['PSP_PI'],
        jwks: { keys: [key] },
      }),
    });
    const user = new WorkspaceUser(world.baseUrl, (await registered.json()) as Credentials);
    await user.signInAt(page, '/workspace');
    await visit.check('workspace overview with a key');
    const shown = (await page.locator('dl').textContent()) ?? '';
    expect(shown).toMatch(/key-1\s+EC P-256 ES256 sig/);
    expect(shown).toMatch(/at the bank it is \d{4}-\d\d-\d\d/);
    await page.getByRole('link', { name: 'present a certificate' }).click();
    expect(await page.locator('h1').textContent()).toBe('Present a certificate');
    await page.goto(world.baseUrl);
    await visit.check('start page, signed in');
    const commands = async (): Promise<string> =>
      (await page.locator('section[aria-labelledby="first-payment"]').textContent()) ?? '';
    expect(await commands()).toContain(`-u ${user.credentials.clientId}:"$CLIENT_SECRET"`);
    expect(await commands()).not.toContain(user.credentials.clientSecret);
    const { headers } = await user.get('/');
    expect(headers.get('cache-control')).toBe('no-cache');
    await user.signIn();
    expect((await user.get('/')).headers.get('cache-control')).toBe('no-store');
    await page.goto(`${world.baseUrl}/workspace`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(world.baseUrl);
    expect(await commands()).not.toContain(user.credentials.clientId);
  });

  it('does once what the same form asks for twice', async () => {
    const user = await newUser();
    await user.signIn();
    const page = await (await user.get('/workspace/people')).text();
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page) ?? [];
    const [, key = ''] = /name="key" value="([^"]+)"/.exec(page) ?? [];
    const form = { action: 'create', key, name: 'Twice', currency: 'BGN', opening: '1.00' };
    const people = await Promise.all([1, 2].map(async () => user.post('/workspace/people', form, csrf)));
    expect(people.map(({ status }) => status)).toEqual([200, 200]);
    const listed = await (await user.get('/workspace/people')).text();
    expect(listed.match(/<b>psu-/g)).toHaveLength(1);
  });

  it('shows the registration while the log of calls does not answer', async () => {
    const user = await newUser('Shop without a log');
    await user.signIn();
    const { pid } = world.sandbox.services.console;
    process.kill(pid, 'SIGSTOP');
    try {
      const answer = await user.get('/workspace');
      expect(answer.status).toBe(200);
      const text = await answer.text();
      expect(text).toContain('Shop without a log');
      expect(text).toContain('The log of calls does not answer now.');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  it('returns to the page that was asked for, and never to another site', async () => {
    const user = await newUser();
    for (const [to, expected] of [
      ['/workspace/requests?cursor=1', '/workspace/requests?cursor=1'],
      ['//evil.example', '/workspace'],
      ['https://evil.example', '/workspace'],
      ['/workspace\n/x', '/workspace'],
      ['/workspace/../sca', '/workspace'],
    ] as const) {
      const answer = await user.signIn({ to });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, expected]);
    }
  });

  it('refuses a wrong secret, and keeps it out of the page', async () => {
    const user = await newUser();
    const answer = await user.signIn({ clientSecret: 'a-wrong-secret' });
    const text = await answer.text();
    expect(text).toContain('The bank issues no token for this client.');
    expect(text).not.toContain('a-wrong-secret');
    expect((await user.get('/workspace/requests')).headers.get('location')).toContain('/workspace/sign-in');
  });

  it('asks for a new sign-in once the secret was replaced elsewhere and the kept token has expired', async () => {
    const user = await newUser();
    await user.signIn();
    expect((await user.get('/workspace/requests')).status).toBe(200);
    const token = await user.token();
    await fetch(`${world.baseUrl}/sandbox/tpp/secret`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ clientSecret: user.credentials.clientSecret }),
    });
    await world.advance('PT2H');
    const answer = await user.get('/workspace/requests');
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/workspace/sign-in?to=%2Fworkspace',
    ]);
  });

  it('gives no new secret to a session whose secret was replaced', async () => {
    const user = await newUser();
    await user.signIn();
    const leaked = new WorkspaceUser(world.baseUrl, user.credentials);
    leaked.cookie = user.cookie;
    const csrf = await leaked.csrf('/workspace');
    const renewed = await user.post('/workspace/secret', {}, await user.csrf('/workspace'));
    const [, clientSecret = ''] = /CLIENT_SECRET=([\w-]+)/.exec(await renewed.text()) ?? [];
    const answer = await leaked.post('/workspace/secret', {}, csrf);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/workspace/sign-in?to=%2Fworkspace',
    ]);
    expect((await leaked.get('/workspace/try/renewSecret')).status).toBe(404);
    expect((await user.signIn({ clientSecret })).status).toBe(303);
  });

  it.each(pages)('shows /workspace%s to nobody who has not signed in', async (path) => {
    const answer = await fetch(`${world.baseUrl}/workspace${path}`, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain('/workspace/sign-in?to=');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('has a cookie that scripts cannot read and forms of other sites cannot send, without readable credentials', async () => {
    const user = await newUser();
    const answer = await user.signIn();
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^workspace=[\w.-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
    const decoded = cookie
      .split(/[=.;]/)
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join();
    expect(decoded).not.toContain(user.credentials.clientSecret);
    expect(decoded).not.toContain(user.credentials.clientId);
  });

  it('refuses a form without a CSRF token, with that of another session, or from before the sign-in (CSRF, session fixation)', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const before = await user.csrf('/workspace/sign-in');
    await user.signIn();
    await other.signIn();
    const tokens = [undefined, '', before, await other.csrf('/workspace/clock')];
    for (const csrf of tokens) {
      const answer = await user.post('/workspace/clock', { advance: 'PT1M' }, csrf);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    }
    const own = await user.csrf('/workspace/clock');
    expect((await user.post('/workspace/clock', { advance: 'PT1S' }, own)).status).toBe(200);
  });

  it('accepts no cookie that was changed', async () => {
    const user = await newUser();
    await user.signIn();
    user.cookie = user.cookie.replace(
      /.(.{40})$/,
      (all, rest: string) => `${all.startsWith('A') ? 'B' : 'A'}${rest}`,
    );
    expect((await user.get('/workspace')).status).toBe(303);
  });

  it('never shows one application the calls of another', async () => {
    const [user, other] = [await newUser(), await newUser()];
    await other.signIn();
    const token = await other.token();
    const seen = await fetch(`${world.baseUrl}/sandbox/clock`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const requestId = seen.headers.get('x-request-id') ?? '';
    expect((await other.get(`/workspace/requests/${requestId}`)).status).toBe(200);
    await user.signIn();
    const answer = await user.get(`/workspace/requests/${requestId}`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('No such call');
    expect(await (await user.get('/workspace/requests')).text()).not.toContain(requestId);
  });

  it('escapes what applications register and send (XSS)', async () => {
    const evil = '"><img src=x onerror=alert(1)>';
    const user = await newUser();
    await user.signIn();
    const texts = [
      await (await user.signIn({ clientId: evil, clientSecret: 'x' })).text(),
      await (await user.registration({ name: evil, redirectUri: evil })).text(),
      await (await user.get(`/workspace/return?code=${encodeURIComponent(evil)}`)).text(),
    ];
    await user.signIn();
    const csrf = await user.csrf('/workspace/people');
    texts.push(
      await (
        await user.post(
          '/workspace/people',
          { action: 'deposit', iban: evil, amount: evil, currency: evil },
          csrf,
        )
      ).text(),
      await (await user.post('/workspace/clock', { advance: evil }, csrf)).text(),
    );
    for (const text of texts) {
      expect(text).toContain('&lt;img');
      expect(text).not.toContain('<img');
    }
  });

  it('sends an account or a call only to the API, whatever the address in the form', async () => {
    const user = await newUser();
    await user.signIn();
    const csrf = await user.csrf('/workspace/people');
    for (const iban of ['../../../evil', '//evil.example/x', 'http://127.0.0.1:1/', '..%2f..', '?x=', '#'])
      expect(
        await (
          await user.post('/workspace/people', { action: 'status', iban, status: 'blocked' }, csrf)
        ).text(),
      ).toMatch(/RESOURCE_UNKNOWN|FORMAT_ERROR/);
  });

  it('accepts no other method, and no form over 128 KiB', async () => {
    const user = await newUser();
    await user.signIn();
    const answer = await fetch(`${world.baseUrl}/workspace`, {
      method: 'PUT',
      headers: { cookie: user.cookie },
    });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    const large = await user.post('/workspace/clock', { advance: 'x'.repeat(200_000) }, 'x');
    expect(large.status).toBe(413);
  });
});
