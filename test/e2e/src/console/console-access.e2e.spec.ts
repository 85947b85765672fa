// Lane: long (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import { World } from '@xs2a/test-support/world';
import { consoleAddresses, isOf } from './console-addresses.js';
import { StaffBrowser } from './staff-browser.js';

const staff = {
  ivanova: 'operator',
  petrov: 'approver',
  viewer: 'viewer',
  auditor: 'auditor',
  support: 'support',
};
const everybody = Object.keys(staff);
const watching = ['ivanova', 'petrov', 'viewer'];
const auditing = ['ivanova', 'petrov', 'auditor'];
const helping = ['ivanova', 'support'];
/** Every page, and who may open it. */
const pages: Readonly<Record<string, readonly string[]>> = {
  '/now': watching,
  '/now/as-of': watching,
  '/now/as-of?at=2026-11-27T13:23:58.000Z&and=2026-11-27': watching,
  '/runbooks': everybody,
  '/runbooks/push-fails': everybody,
  '/calls': watching,
  '/calls?status=refused&tpp=sandbox-tpp': watching,
  '/live': watching,
  '/live/events?log=consents&after=0': watching,
  '/payments': watching,
  '/consents': watching,
  '/settlement': watching,
  '/settlement/late/01890a5d-ac96-774b-bcce-b302099a8057%233': ['ivanova'],
  '/push': watching,
  '/push?tpp=sandbox-tpp&resource=01890a5d-ac96-774b-bcce-b302099a8057': watching,
  '/push/replay': ['ivanova'],
  '/push/replay?tpp=sandbox-tpp': ['ivanova'],
  '/services': watching,
  '/tpps': watching,
  '/tpps/sandbox-tpp': watching,
  '/psus': helping,
  '/actions': auditing,
  '/actions?by=ivanova&act=lift-sca-lock&verify=all': auditing,
};
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
/** The addresses that do not return 200 here (unknown id, no search text, redirect), with the roles that may use them and their status. */
const details: Readonly<Record<string, { readonly allowed: readonly string[]; readonly status: number }>> = {
  '/': { allowed: everybody, status: 303 },
  '/search': { allowed: watching, status: 400 },
  [`/search?q=${unknownId}`]: { allowed: watching, status: 404 },
  [`/calls/${unknownId}`]: { allowed: watching, status: 404 },
  [`/payments/${unknownId}`]: { allowed: watching, status: 404 },
  [`/consents/${unknownId}`]: { allowed: watching, status: 404 },
  [`/jobs/${unknownId}`]: { allowed: watching, status: 404 },
  '/settlement/letters/settlement:999999': { allowed: watching, status: 404 },
  [`/actions/${unknownId}`]: { allowed: [...auditing, 'support'], status: 404 },
};
/** Every form that may change something, and who may send it. */
const forms: Readonly<Record<string, readonly string[]>> = {
  '/sign-out': everybody,
  '/psus': helping,
  '/psus/approvals': helping,
  '/psus/lift-sca-lock': helping,
  '/tpps/block': ['ivanova'],
  '/tpps/unblock': ['ivanova'],
  '/tpps/rotate-secret': ['ivanova'],
  '/push/replay': ['ivanova'],
  '/payments/reveal': ['ivanova'],
  '/consents/reveal': ['ivanova'],
  '/payments/search': ['ivanova'],
  '/jobs/pause': ['ivanova'],
  '/jobs/continue': ['ivanova'],
  '/consents/end': ['ivanova'],
  '/settlement/letters/replay': ['ivanova'],
  '/settlement/letters/discard': ['ivanova'],
  '/settlement/late/close': ['ivanova'],
  '/payments/try-now': ['ivanova'],
  '/payments/hand-over': ['ivanova'],
  '/actions/decide': ['petrov'],
  '/payments/01890a5d-ac96-774b-bcce-b302099a8057/bundle': ['ivanova'],
};

let world: World;
let url: string;

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
}, 90_000);
afterAll(async () => world.stop());

const formToken = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';

describe('who may use the console', () => {
  it.each(Object.keys(staff))('opens exactly the pages of the role of %s', async (name) => {
    const browser = new StaffBrowser(url);
    await browser.signIn(name);
    for (const [path, allowed] of Object.entries(pages)) {
      const { status } = await browser.send(path);
      expect([path, status]).toEqual([path, allowed.includes(name) ? 200 : 403]);
    }
    for (const [path, { allowed, status }] of Object.entries(details))
      expect([path, (await browser.send(path)).status]).toEqual([
        path,
        allowed.includes(name) ? status : 403,
      ]);
  });

  it('is declared in this spec for every page and every form of the console', () => {
    const shown = [...Object.keys(pages), ...Object.keys(details)].map((path) => `GET ${path}`);
    const sent = Object.keys(forms).map((path) => `POST ${path}`);
    const addresses = consoleAddresses();
    expect(addresses.length).toBeGreaterThan(40);
    const isListed = (address: string): boolean => [...shown, ...sent].some((path) => isOf(address, path));
    expect(addresses.filter((address) => !isListed(address))).toEqual([]);
  });

  it('has an icon that needs no sign-in', async () => {
    const page = await new StaffBrowser(url).signIn('viewer');
    const [, icon = ''] = /rel="icon" href="([^"]+)"/.exec(await page.text()) ?? [];
    const answer = await new StaffBrowser(url).send(icon);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  it('leads to the identity provider without a session, and back to the page that was asked for', async () => {
    for (const path of Object.keys(pages)) {
      const answer = await new StaffBrowser(url).send(path);
      const to = `/sign-in?${new URLSearchParams({ to: path }).toString()}`;
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, to]);
    }
    const page = await new StaffBrowser(url).signIn('viewer', '/calls?tpp=a%20b');
    expect([page.status, page.url]).toEqual([200, `${url}/calls?tpp=a%20b`]);
  });

  it('stores a session when a sign-in begins, not when somebody without one asks for a page', async () => {
    const owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'owner', max: 1 });
    const count = async () =>
      (await owner.query<{ rows: number }>('SELECT count(*)::int AS rows FROM console.staff_session')).rows[0]
        ?.rows;
    const before = await count();
    for (const path of Object.keys(pages)) await new StaffBrowser(url).send(path);
    await new StaffBrowser(url).send('/psus', { method: 'POST' });
    const planted = new StaffBrowser(url);
    await planted.send('/now', { headers: { cookie: 'xs2a-console=x' } });
    expect(await count()).toBe(before);
    await new StaffBrowser(url).send('/sign-in');
    expect(await count()).toBe((before ?? 0) + 1);
    await owner.end();
  });

  it('leads nowhere from an address that looks like another host', async () => {
    for (const path of ['//evil.example/now', '/\\evil.example', '///evil.example']) {
      const browser = new StaffBrowser(url);
      expect([path, (await browser.send(`${url}${path}`)).status]).toEqual([path, 404]);
      const to = `/sign-in?${new URLSearchParams({ to: path }).toString()}`;
      expect(new URL((await browser.signIn('viewer', to)).url).origin).toBe(url);
    }
  });

  it('does not begin a sign-in that nobody sees when a page refreshes itself', async () => {
    const answer = await new StaffBrowser(url).send('/now', { headers: { 'x-refresh': '1' } });
    expect([answer.status, await answer.text()]).toEqual([401, '']);
  });

  it('gives a session a new id at the sign-in, and the planted one stays without rights', async () => {
    const planted = new StaffBrowser(url);
    await planted.send('/sign-in');
    const before = planted.session;
    expect(before).toBeDefined();
    const victim = new StaffBrowser(url);
    victim.session = before;
    await victim.signIn('ivanova');
    expect(victim.session).not.toBe(before);
    expect((await victim.send('/now')).status).toBe(200);
    expect((await planted.send('/now')).status).toBe(303);
  });

  it('rejects a return without the request of the same browser', async () => {
    const other = new StaffBrowser(url);
    const answer = await other.send('/sign-in/return?code=x&state=y');
    expect(answer.status).toBe(401);
    expect((await other.send('/now')).status).toBe(303);
  });

  it('signs out only by a form of the same session, and the session then ends', async () => {
    const browser = new StaffBrowser(url);
    const token = formToken(await (await browser.signIn('viewer')).text());
    const other = new StaffBrowser(url);
    const foreign = formToken(await (await other.signIn('viewer')).text());
    const post = async (form: [string, string][]) =>
      browser.send('/sign-out', { method: 'POST', body: new URLSearchParams(form) });
    for (const form of [[], [['csrf', '']], [['csrf', foreign]]] as [string, string][][])
      expect((await post(form)).status).toBe(403);
    const kept = browser.session;
    expect((await post([['csrf', token]])).status).toBe(200);
    browser.session = kept;
    expect((await browser.send('/now')).status).toBe(303);
  });

  it.each(Object.keys(staff))('takes exactly the forms of the role of %s', async (name) => {
    for (const [path, allowed] of Object.entries(forms)) {
      const browser = new StaffBrowser(url);
      const csrf = formToken(await (await browser.signIn(name)).text());
      const { status } = await browser.send(path, { method: 'POST', body: new URLSearchParams({ csrf }) });
      const taken = path === '/sign-out' ? 200 : 400;
      expect([path, status]).toEqual([path, allowed.includes(name) ? taken : 403]);
    }
  });

  it('takes no form without the token of its session', async () => {
    const browser = new StaffBrowser(url);
    await browser.signIn('ivanova');
    const foreign = formToken(await (await new StaffBrowser(url).signIn('ivanova')).text());
    for (const path of Object.keys(forms)) {
      const bodies = [undefined, {}, { csrf: '' }, { csrf: foreign }];
      for (const body of bodies) {
        const form = body && new URLSearchParams(body as Record<string, string>);
        expect([path, (await browser.send(path, { method: 'POST', body: form })).status]).toEqual([
          path,
          403,
        ]);
      }
      const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
      expect([path, (await browser.send(path, json)).status]).toEqual([path, 415]);
      expect((await new StaffBrowser(url).send(path, { method: 'POST' })).status).toBe(303);
    }
  });

  it('ends the sessions of a person at once by the statement of the documents', async () => {
    const [removed, other] = [new StaffBrowser(url), new StaffBrowser(url)];
    await removed.signIn('petrov');
    await other.signIn('viewer');
    const owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'owner', max: 1 });
    await owner.query(`DELETE FROM console.staff_session WHERE data->'passport'->>'subject' = 'petrov'`);
    await owner.end();
    expect((await removed.send('/now')).status).toBe(303);
    expect((await other.send('/now')).status).toBe(200);
  });

  it('asks who it is after a sign-out, although the provider still knows the person', async () => {
    const browser = new StaffBrowser(url);
    const token = formToken(await (await browser.signIn('viewer')).text());
    await browser.send('/sign-out', { method: 'POST', body: new URLSearchParams({ csrf: token }) });
    expect((await browser.open('/sign-in?prompt=login')).url).not.toMatch(new RegExp(`^${url}`));
  });

  it('answers addresses and forms that cannot be meant with a page, never with 5xx', async () => {
    const browser = new StaffBrowser(url);
    await browser.signIn('ivanova');
    const wrong: Readonly<Record<string, number>> = {
      '/nothing': 404,
      '/calls/not-an-id': 404,
      '/calls/01890a5d-ac96-774b-bcce-b302099a8057': 404,
      '/calls?status=x': 400,
      '/calls?resource=x': 400,
      '/calls?before=x': 400,
      '/calls?before=999999999999999.1': 200,
      '/calls?tpp=a&tpp=b': 400,
      [`/calls?tpp=${'x'.repeat(201)}`]: 400,
      '/calls?tpp=%00': 400,
      '/calls?tpp=%E0%A4%A': 200,
      '/push?resource=x': 400,
      '/push?tpp=a&tpp=b': 400,
      [`/push?tpp=${'x'.repeat(256)}`]: 400,
      '/push?tpp=%00': 400,
      '/push?tpp=%E2%80%AE': 400,
      '/push?tpp=%20&resource=': 200,
      '/push/x': 404,
      '/push/replay?notification=x': 400,
      '/jobs/x': 404,
      '/settlement/letters/settlement:999999': 404,
      '/settlement/letters/x': 404,
      '/jobs/01890a5d-ac96-774b-bcce-b302099a8057': 404,
      '/%E0%A4%A': 400,
      '/live?log=accounts': 400,
      '/live?before=-1': 400,
      '/live?type=%00': 400,
      '/live/events?after=x': 400,
      '/payments?tpp=a&day=2026-13-01': 200,
      '/payments?tpp=a&tpp=b': 400,
      '/payments?tpp=%00': 400,
      '/payments?tpp=%01&day=2026-11-27': 200,
      '/payments/not-an-id': 404,
      '/payments/01890a5d-ac96-774b-bcce-b302099a8057': 404,
      '/consents/01890a5d-ac96-774b-bcce-b302099a8057': 404,
      '/consents/01890a5d-ac96-774b-bcce-b302099a8057?at=yesterday': 400,
      '/consents?tpp=%01': 400,
      '/consents?before=x': 400,
      '/search': 400,
      '/search?q=%00': 400,
      '/search?q=01890a5d-ac96-774b-bcce-b302099a8057': 404,
      '/tpps/nobody': 404,
      '/tpps/%00': 404,
      '/actions/x': 404,
      '/actions/01890a5d-ac96-774b-bcce-b302099a8057': 404,
      '/actions?act=x': 400,
      '/actions?act=toString': 400,
      '/actions?before=x': 400,
      '/actions?before=1': 200,
      '/actions?verify=x': 400,
      '/actions?by=%00': 400,
      '/actions?by=a&by=b': 400,
    };
    for (const [path, status] of Object.entries(wrong)) {
      const answer = await browser.send(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        status,
        'text/html; charset=utf-8',
      ]);
    }
  });

  it('answers one address, or one person, that sends too many requests with 429 for a minute, and nobody else', async () => {
    const statuses = async (browser: StaffBrowser, address: string, count: number): Promise<number[]> => {
      const headers = { 'x-forwarded-for': `203.0.113.9, ${address}` };
      const seen: number[] = [];
      // /runbooks makes no NATS calls. At most 30 requests at a time, because each request reads its session from the database.
      while (seen.length < count) {
        const length = Math.min(30, count - seen.length);
        const sent = Array.from({ length }, async () => browser.send('/runbooks', { headers }));
        seen.push(...(await Promise.all(sent)).map(({ status }) => status));
      }
      return seen;
    };
    const stranger = new StaffBrowser(url);
    const seen = await statuses(stranger, '198.51.100.1', 130);
    expect([
      seen.filter((status) => status === 303).length,
      seen.filter((status) => status === 429).length,
    ]).toEqual([120, 10]);
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    const refused = await stranger.send('/runbooks', { headers });
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await refused.text()).toContain('Too many requests');
    expect(await statuses(stranger, '198.51.100.2', 1)).toEqual([303]);
    // A session has its own limit at every address.
    const viewer = new StaffBrowser(url);
    await viewer.signIn('viewer');
    const own = await statuses(viewer, '198.51.100.1', 610);
    expect(new Set(own)).toEqual(new Set([200, 429]));
    expect(own.filter((status) => status === 200).length).toBeGreaterThanOrEqual(598);
    expect(own.filter((status) => status === 429).length).toBeGreaterThanOrEqual(9);
  });

  it('forbids frames, foreign content, inline scripts and caches on every page', async () => {
    const browser = new StaffBrowser(url);
    await browser.signIn('viewer');
    for (const path of [...Object.keys(pages), '/nothing']) {
      const { headers } = await browser.send(path);
      expect(headers.get('content-security-policy')).toMatch(
        /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/,
      );
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});
