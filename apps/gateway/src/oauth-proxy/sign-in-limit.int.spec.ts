import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { failures } from '@xs2a/domain/failure/failures';
import { newSandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { type Answer, GatewayUnderTest } from '../testing/gateway-under-test.js';

const secret = 'a proxy secret of more than thirty-two characters';
const gateway = new GatewayUnderTest({
  CLIENT_CERTIFICATES: 'optional',
  CLIENT_CERTIFICATE_HEADER: 'x-ssl-client-cert',
  CLIENT_CERTIFICATE_FORM: 'escaped-pem',
  PROXY_SECRET: secret,
  TRUST_ANCHORS: newSandboxAuthority(Date.now()).certificate,
  PORTAL: 'sandbox',
  PORTAL_URL: 'http://127.0.0.1:9',
});
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => {
  gateway.reset();
  // On a busy machine, a response may take so long that the gateway asks whether the server is up.
  gateway.answers.set('svc.auth.present', () => ({ ok: {} }));
});

interface Limit {
  readonly burst: number;
  readonly perSecond: number;
}
const ofSteps: Limit = { burst: 120, perSecond: 2 };
const ofPushes: Limit = { burst: 600, perSecond: 20 };
const { burst } = ofSteps;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const through = (forwardedFor: string, headers: Record<string, string> = {}): Record<string, string> => ({
  'x-proxy-secret': secret,
  'x-forwarded-for': forwardedFor,
  ...headers,
});
type Headers = (at: number) => Record<string, string>;

/** The number of concurrent requests. */
const together = 60;

/** Sends this many requests as fast as possible and counts the responses by status code. */
const listCodes = async (
  times: number,
  headers: Headers,
  path: (at: number) => string = () => '/sca/apps',
): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (let from = 0; from < times; from += together) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(together, times - from) }, (_, at) =>
        gateway.call('POST', path(from + at), { headers: { ...form, ...headers(from + at) } }),
      ),
    );
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
};
/**
 * Sends twice the burst at once. Returns how many requests were admitted beyond the burst, not counting the tokens
 * that were refilled in that time.
 */
const letThroughTooMuch = async (
  headers: Headers,
  path?: (at: number) => string,
  limit: Limit = ofSteps,
): Promise<number> => {
  const began = gateway.clock.nowMs();
  const { 429: refused = 0 } = await listCodes(2 * limit.burst, headers, path);
  const givenBack = ((gateway.clock.nowMs() - began) / 1000) * limit.perSecond;
  return Math.max(0, limit.burst - refused - Math.ceil(givenBack));
};
/** Returns the 429 response to a client that has used up its burst. */
const readRefusal = async (
  headers: Record<string, string>,
  method = 'POST',
  path = '/sca/apps',
): Promise<Answer> => {
  for (let sent = 0; sent < 3 * burst; sent += together) {
    const answers = await Promise.all(
      Array.from({ length: together }, () =>
        gateway.call(method, path, { headers: { ...form, ...headers } }),
      ),
    );
    const refused = answers.find(({ status }) => status === 429);
    if (refused !== undefined) return refused;
  }
  throw new Error('no request was refused');
};

describe('the rate limit per client for pages and authorization requests (quality, Reliability)', () => {
  it('returns 429 with Retry-After once forms and authorization requests together exceed a burst', async () => {
    const paths = ['/sca/apps', '/sca/payment/a/b', '/sca?x', '/oauth2/authorize?client_id=x'];
    const headers = (): Record<string, string> => through('203.0.113.1');
    expect(await letThroughTooMuch(headers, (at) => paths[at % paths.length] ?? '')).toBe(0);
    const refused = await readRefusal(headers());
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(4);
    expect(wait).toBeLessThanOrEqual(5);
    gateway.clock.raiseTo(gateway.clock.offsetMs + wait * 1000);
    expect(await listCodes(8, headers)).toEqual({ 200: 8 });
  });

  it('returns a page in both languages that states when to retry, or an RFC 6749 error to a program', async () => {
    const page = await readRefusal(through('203.0.113.2'));
    const wait = page.headers.get('retry-after');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain(`Изчакайте ${wait} секунди`);
    expect(page.text).toContain(`Wait ${wait} seconds`);
    expect(page.text).toContain('<a href="/sca/apps">Open the page again</a>');
    const asked = ['GET', '/oauth2/authorize?client_id=x'] as const;
    const browser = await readRefusal(through('203.0.113.2', { accept: 'text/html' }), ...asked);
    expect(browser.text).toContain('Too many requests');
    const program = await readRefusal(through('203.0.113.2', { accept: '*/*' }), ...asked);
    expect(program.body['error']).toBe('temporarily_unavailable');
  });

  it('counts the forms of the developer portal’s workspace, such as its sign-in, in the same way', async () => {
    const headers = (): Record<string, string> => through('203.0.113.6');
    const paths = ['/workspace/sign-in', '/%77orkspace/sign-in', '/workspace/regist%65r', '/workspace'];
    expect(await letThroughTooMuch(headers, (at) => paths[at % paths.length] ?? '')).toBe(0);
    const refused = await readRefusal(headers(), 'POST', '/workspace/sign-in');
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(refused.text).toContain(`Wait ${refused.headers.get('retry-after')} s`);
  });

  it('limits registrations of TPPs from one public or private address, through the API and the form of the portal', async () => {
    gateway.answers.set('svc.auth.sandbox.register-tpp', () => ({ ok: { clientId: 'new' } }));
    const register = async (forwardedFor: string): Promise<Answer> =>
      gateway.call('POST', '/sandbox/tpps', { headers: through(forwardedFor), body: '{}' });
    const together = async (times: number, forwardedFor: string): Promise<readonly number[]> =>
      (await Promise.all(Array.from({ length: times }, async () => register(forwardedFor)))).map(
        ({ status }) => status,
      );
    expect(await together(60, '8.8.4.7')).toEqual(Array<number>(60).fill(201));
    const refused = await register('8.8.4.7');
    expect([refused.status, refused.body.tppMessages]).toEqual([
      429,
      [{ category: 'ERROR', code: 'ACCESS_EXCEEDED', text: failures.registrationsExceeded[2] }],
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(40);
    for (const path of ['/workspace/register', '/workspace/regist%65r']) {
      const ofForm = await gateway.call('POST', path, { headers: { ...form, ...through('8.8.4.7') } });
      expect(ofForm.status).toBe(429);
    }
    expect((await register('8.8.4.8')).status).toBe(201);
    for (const address of ['10.0.0.7', 'fd00::7'])
      expect((await together(61, address)).filter((status) => status === 429)).toHaveLength(1);
  });

  it('counts by the address that the proxy appended last, and per 64-bit network for IPv6', async () => {
    const neighbours: Headers = (at) => through(`192.0.2.${at % 250}, 2001:db8:7:7::${at.toString(16)}`);
    expect(await letThroughTooMuch(neighbours)).toBe(0);
    expect(await listCodes(1, () => through('2001:db8:7:8::1'))).toEqual({ 200: 1 });
  });

  it('ignores the address that a client without the secret of the proxy claims to have', async () => {
    const victim = { 'x-forwarded-for': '203.0.113.3', 'x-proxy-secret': `${secret}!` };
    expect(await listCodes(2 * burst, () => victim)).toEqual({ 200: 2 * burst });
    expect(await listCodes(burst, () => through('203.0.113.3'))).toEqual({ 200: burst });
  });

  it('counts pushed requests separately, because the servers of a TPP may send many', async () => {
    const headers = (): Record<string, string> => through('203.0.113.5');
    expect(await letThroughTooMuch(headers, () => '/oauth2/par', ofPushes)).toBe(0);
    for (const accept of ['*/*', 'text/html']) {
      const refused = await readRefusal({ ...headers(), accept }, 'POST', '/oauth2/par');
      expect(refused.body['error']).toBe('temporarily_unavailable');
      expect(refused.headers.get('retry-after')).toBe('1');
    }
    expect(await listCodes(burst, headers)).toEqual({ 200: burst });
  });

  it('cannot be bypassed by another spelling of a path', async () => {
    const headers = (): Record<string, string> => through('203.0.113.6');
    for (const path of [
      '/%73ca/apps',
      '/s%63a/payment/a/b',
      '/SCA/apps',
      '//sca/apps',
      '/oauth2/%61uthorize',
    ])
      expect([path, await listCodes(3, headers, () => path)]).toEqual([path, { 404: 3 }]);
    await listCodes(2 * burst, headers, () => '/sca/%61pps');
    expect((await listCodes(40, headers))[429]).toBeGreaterThan(0);
  });

  it('does not apply to other pages, tokens and the API at the same address', async () => {
    const headers = through('203.0.113.4');
    await readRefusal(headers);
    for (const path of [
      '/sca/apps',
      '/sca/style.css',
      '/oauth2/jwks',
      '/oauth2/authorize/abc',
      '/v1/accounts',
    ])
      expect([path, (await gateway.call('GET', path, { headers })).status]).not.toEqual([path, 429]);
    for (const path of ['/oauth2/token', '/oauth2/par', '/oauth2/revoke'])
      expect([path, (await gateway.call('POST', path, { headers: { ...form, ...headers } })).status]).toEqual(
        [path, 200],
      );
  });
});
