import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newSandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { type Answer, GatewayUnderTest } from './testing/gateway-under-test.js';

const secret = 'a proxy secret of more than thirty-two characters';
const gateway = new GatewayUnderTest({
  CLIENT_CERTIFICATES: 'optional',
  CLIENT_CERTIFICATE_HEADER: 'x-ssl-client-cert',
  CLIENT_CERTIFICATE_FORM: 'escaped-pem',
  PROXY_SECRET: secret,
  TRUST_ANCHORS: newSandboxAuthority(Date.now()).certificate,
});
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => gateway.reset());

const [burst, perSecond] = [120, 2];
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const through = (forwardedFor: string, headers: Record<string, string> = {}): Record<string, string> => ({
  'x-proxy-secret': secret,
  'x-forwarded-for': forwardedFor,
  ...headers,
});
type Headers = (at: number) => Record<string, string>;

/** The answers' codes and how often each came, after so many requests at once. */
const codesOf = async (
  times: number,
  headers: Headers,
  path: (at: number) => string = () => '/sca/apps',
): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  const answers = await Promise.all(
    Array.from({ length: times }, (_, at) =>
      gateway.call('POST', path(at), { headers: { ...form, ...headers(at) } }),
    ),
  );
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
/** Of twice the burst at once: what was let through beyond the burst, less what time has given back. */
const letThroughTooMuch = async (headers: Headers, path?: (at: number) => string): Promise<number> => {
  const began = gateway.clock.nowMs();
  const { 429: refused = 0 } = await codesOf(2 * burst, headers, path);
  const givenBack = ((gateway.clock.nowMs() - began) / 1000) * perSecond;
  return Math.max(0, burst - refused - Math.ceil(givenBack));
};
/** The refusal of a client that has used up its burst. */
const refusalOf = async (
  headers: Record<string, string>,
  method = 'POST',
  path = '/sca/apps',
): Promise<Answer> => {
  for (;;) {
    await codesOf(40, () => headers);
    const answer = await gateway.call(method, path, { headers: { ...form, ...headers } });
    if (answer.status === 429) return answer;
  }
};

describe('requests of one client to the pages and for authorization', () => {
  it('beyond a burst are 429 with Retry-After, for forms and authorization requests together', async () => {
    const paths = ['/sca/apps', '/sca/payment/a/b', '/sca?x', '/oauth2/authorize?client_id=x'];
    const headers = (): Record<string, string> => through('203.0.113.1');
    expect(await letThroughTooMuch(headers, (at) => paths[at % paths.length] ?? '')).toBe(0);
    const refused = await refusalOf(headers());
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(4);
    expect(wait).toBeLessThanOrEqual(5);
    gateway.clock.raiseTo(gateway.clock.offsetMs + wait * 1000);
    expect(await codesOf(8, headers)).toEqual({ 200: 8 });
  });

  it('is a page in both languages that says when to come back, or RFC 6749 for a program', async () => {
    const page = await refusalOf(through('203.0.113.2'));
    const wait = page.headers.get('retry-after');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain(`Изчакайте ${wait} секунди`);
    expect(page.text).toContain(`Wait ${wait} seconds`);
    const asked = ['GET', '/oauth2/authorize?client_id=x'] as const;
    const browser = await refusalOf(through('203.0.113.2', { accept: 'text/html' }), ...asked);
    expect(browser.text).toContain('Too many requests');
    const program = await refusalOf(through('203.0.113.2', { accept: '*/*' }), ...asked);
    expect(program.body['error']).toBe('temporarily_unavailable');
  });

  it('are those of the address that the proxy names last, of an IPv6 network of 64 bits', async () => {
    const neighbours: Headers = (at) => through(`192.0.2.${at % 250}, 2001:db8:7:7::${at.toString(16)}`);
    expect(await letThroughTooMuch(neighbours)).toBe(0);
    expect(await codesOf(1, () => through('2001:db8:7:8::1'))).toEqual({ 200: 1 });
  });

  it('are not those of an address that a client without the proxy’s secret names', async () => {
    const victim = { 'x-forwarded-for': '203.0.113.3', 'x-proxy-secret': `${secret}!` };
    expect(await codesOf(2 * burst, () => victim)).toEqual({ 200: 2 * burst });
    expect(await codesOf(burst, () => through('203.0.113.3'))).toEqual({ 200: burst });
  });

  it('leave pages, tokens and the API open to the same address', async () => {
    const headers = through('203.0.113.4');
    await refusalOf(headers);
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
