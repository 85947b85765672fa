import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newSandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { GatewayUnderTest } from './testing/gateway-under-test.js';

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

const burst = 120;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const through = (forwardedFor: string, headers: Record<string, string> = {}): Record<string, string> => ({
  'x-proxy-secret': secret,
  'x-forwarded-for': forwardedFor,
  ...headers,
});
/** The answers' codes, each once, after so many requests at once. */
const codesOf = async (
  times: number,
  method: string,
  path: (at: number) => string,
  headers: (at: number) => Record<string, string>,
): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  const answers = await Promise.all(
    Array.from({ length: times }, (_, at) =>
      gateway.call(method, path(at), { headers: { ...(method === 'POST' ? form : {}), ...headers(at) } }),
    ),
  );
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('requests of one client to the pages and for authorization', () => {
  it('beyond a burst are 429 with Retry-After, for forms and authorization requests together, in any spelling', async () => {
    const paths = [
      '/sca/apps',
      '/sca/payment/a/b',
      '/%73ca/apps',
      '/sca/../sca/x',
      '/oauth2/authorize',
      '/oauth2/x',
    ];
    const path = (at: number): string => paths[at % paths.length] ?? '';
    const headers = (): Record<string, string> => through('203.0.113.1');
    const counts = await codesOf(burst + 60, 'POST', path, headers);
    expect(counts[429]).toBe(60);
    expect(await codesOf(1, 'GET', () => '/oauth2/authorize?client_id=x', headers)).toEqual({ 429: 1 });
    const refused = await gateway.call('POST', '/sca/apps', { headers: { ...form, ...headers() } });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    gateway.clock.raiseTo(gateway.clock.offsetMs + 5000);
    expect((await codesOf(11, 'POST', path, headers))[429]).toBe(1);
  });

  it('is a page in both languages that says when to come back, or RFC 6749 for a program', async () => {
    const headers = (): Record<string, string> => through('203.0.113.2');
    await codesOf(burst, 'POST', () => '/sca/apps', headers);
    const page = await gateway.call('POST', '/sca/apps', { headers: { ...form, ...headers() } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('Изчакайте 5 секунди');
    expect(page.text).toContain('Wait 5 seconds');
    const browser = await gateway.call('GET', '/oauth2/authorize', {
      headers: { ...headers(), accept: 'text/html' },
    });
    expect(browser.text).toContain('Wait 5 seconds');
    const program = await gateway.call('GET', '/oauth2/authorize', {
      headers: { ...headers(), accept: '*/*' },
    });
    expect([program.status, program.body['error']]).toEqual([429, 'temporarily_unavailable']);
  });

  it('are those of the address that the proxy names last, of an IPv6 network of 64 bits', async () => {
    const counts = await codesOf(
      burst + 10,
      'POST',
      () => '/sca/apps',
      (at) => through(`192.0.2.${at}, 2001:db8:7:7::${at.toString(16)}`),
    );
    expect(counts).toEqual({ 200: burst, 429: 10 });
    expect(
      await codesOf(
        1,
        'POST',
        () => '/sca/apps',
        () => through('2001:db8:7:8::1'),
      ),
    ).toEqual({ 200: 1 });
  });

  it('are not those of an address that a client without the proxy’s secret names', async () => {
    const victim = { 'x-forwarded-for': '203.0.113.3', 'x-proxy-secret': `${secret}!` };
    expect(
      await codesOf(
        burst + 10,
        'POST',
        () => '/sca/apps',
        () => victim,
      ),
    ).toEqual({ 200: burst + 10 });
    expect(
      await codesOf(
        burst,
        'POST',
        () => '/sca/apps',
        () => through('203.0.113.3'),
      ),
    ).toEqual({ 200: burst });
  });

  it('leave pages, tokens and the API open to the same address', async () => {
    const headers = (): Record<string, string> => through('203.0.113.4');
    await codesOf(burst + 1, 'POST', () => '/sca/apps', headers);
    for (const path of [
      '/sca/apps',
      '/sca/style.css',
      '/oauth2/jwks',
      '/oauth2/authorize/abc',
      '/v1/accounts',
    ])
      expect([path, (await gateway.call('GET', path, { headers: headers() })).status]).not.toEqual([
        path,
        429,
      ]);
    for (const path of ['/oauth2/token', '/oauth2/par', '/oauth2/revoke'])
      expect([
        path,
        (await gateway.call('POST', path, { headers: { ...form, ...headers() } })).status,
      ]).toEqual([path, 200]);
  });
});
