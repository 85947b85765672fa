import { describe, expect, it } from '@jest/globals';
import { endpointRules } from '../../endpoint-rules.js';
import { isRepeated } from './repeated-headers.js';
import { readHeaders } from './request-headers.js';

const consentId = '01998f70-91d4-7c02-9a6b-3c5d7e8f9a0b';
/** Headers as provided by Node, which joins repeated ones with a comma. */
const sent = (
  ...pairs: readonly (readonly [string, string])[]
): { headers: Record<string, string>; rawHeaders: string[] } => {
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return { headers, rawHeaders: pairs.flat() };
};
const nowMs = Date.parse('2027-01-04T09:15:00.000Z');
const read = (
  pairs: readonly (readonly [string, string])[],
  rule = endpointRules.initiatePayment,
): ReturnType<typeof readHeaders> =>
  readHeaders(sent(...pairs), {
    rule,
    registered: ['https://tpp.example/cb'],
    sandbox: true,
    receivers: { anywhere: true, ports: [443] },
    nowMs,
    consentId,
  });
const failing = (result: ReturnType<typeof readHeaders>): string[] =>
  'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path}`) : [];

describe('the headers of a question about a payee (contract E4.8a)', () => {
  const id = ['X-Request-ID', '0f8fad5b-d9cb-469f-a165-70867728950e'] as const;
  const at = (time: string) => ['X-Request-Timestamp', time] as const;
  const failures = (...pairs: (readonly [string, string])[]): string[] =>
    failing(read(pairs, endpointRules.verifyPayee));

  it.each(['2027-01-04T09:15:00.000Z', '2027-01-04T11:14:00+02:00', '2027-01-04T09:16:00.000000Z'])(
    'are accepted with the time %s',
    (time) => {
      expect(failures(id, at(time))).toEqual([]);
    },
  );

  it('are mandatory', () => {
    expect(failures()).toEqual(['headerMalformed X-Request-ID', 'headerMalformed X-Request-Timestamp']);
    expect(failures(at('2027-01-04T09:15:00Z'))).toEqual(['headerMalformed X-Request-ID']);
    expect(failures(id)).toEqual(['headerMalformed X-Request-Timestamp']);
  });

  it.each([
    '2027-01-04T09:13:59.999Z',
    '2027-01-04T09:16:00.001Z',
    '2027-01-04T09:15:00',
    '2027-01-04',
    '1799054100',
    'now',
    '',
  ])('are refused with the time "%s"', (time) => {
    expect(failures(id, at(time))).toEqual(['timestampInvalid X-Request-Timestamp']);
  });

  it('are refused if they are repeated', () => {
    const time = at('2027-01-04T09:15:00Z');
    expect(failures(id, time, time)).toEqual(['timestampInvalid X-Request-Timestamp']);
  });

  it('are not needed elsewhere', () => {
    expect(failing(read([], endpointRules.simulate))).toEqual([]);
  });
});

describe('the validation of request headers (contract 2)', () => {
  it.each<[string, string]>([
    ['X-Request-ID', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['X-Request-ID', '0F8FAD5B-D9CB-469F-A165-70867728950E'],
    ['PSU-IP-Address', '192.0.2.1'],
    ['PSU-IP-Address', '2001:db8::1'],
    ['PSU-IP-Address', '::ffff:192.0.2.1'],
    ['Idempotency-Key', 'k'],
    ['Idempotency-Key', 'a key, with a comma'],
    ['Idempotency-Key', 'x'.repeat(128)],
    ['PSU-ID', 'ivan'],
    ['PSU-ID', 'ivan petrov@bank'],
    ['PSU-Corporate-ID', 'acme'],
    ['TPP-Redirect-URI', 'https://tpp.example/ok'],
    ['Consent-ID', consentId],
    ['X-API-Version', 'ignored where none is published'],
    ['PSU-User-Agent', 'anything'],
  ])('accepts %s: %s', (name, value) => {
    expect(failing(read([[name, value]]))).toEqual([]);
  });

  it.each<[string, string]>([
    ['X-Request-ID', ''],
    ['X-Request-ID', 'abc'],
    ['X-Request-ID', '{0f8fad5b-d9cb-469f-a165-70867728950e}'],
    ['X-Request-ID', '0f8fad5bd9cb469fa16570867728950e'],
    ['X-Request-ID', '0f8fad5b-d9cb-469f-a165-70867728950e '.repeat(2).trim()],
    ['PSU-IP-Address', ''],
    ['PSU-IP-Address', 'localhost'],
    ['PSU-IP-Address', '256.0.0.1'],
    ['PSU-IP-Address', '192.0.2'],
    ['PSU-IP-Address', '192.0.2.1:80'],
    ['PSU-IP-Address', '192.0.2.1/24'],
    ['PSU-IP-Address', '192.0.2.01'],
    ['PSU-IP-Address', '[2001:db8::1]'],
    ['PSU-IP-Address', 'fe80::1%eth0'],
    ['PSU-IP-Address', '2001:db8:::1'],
    ['PSU-IP-Address', '192.0.2.1, 192.0.2.2'],
    ['PSU-IP-Address', '192.0.2.1 192.0.2.2'],
    ['PSU-IP-Address', '0x7f000001'],
    ['Idempotency-Key', ''],
    ['Idempotency-Key', 'x'.repeat(129)],
    ['Idempotency-Key', 'a\tb'],
    ['Idempotency-Key', 'ключ'],
    ['PSU-ID', ''],
    ['PSU-ID', 'x'.repeat(129)],
    ['PSU-ID', 'иван'],
    ['PSU-ID', 'a\u007fb'],
    ['PSU-Corporate-ID', ''],
    ['TPP-Redirect-URI', ''],
    ['TPP-Redirect-URI', 'https://evil.example/'],
    ['TPP-Nok-Redirect-URI', 'javascript:alert(1)'],
  ])('rejects %s: %s', (name, value) => {
    expect(failing(read([[name, value]]))).toEqual([`headerMalformed ${name}`]);
  });

  it.each([
    ['192.0.2.1', true],
    ['2001:db8::1', true],
    ['0.0.0.0', false],
    ['255.255.255.255', false],
    ['224.0.0.1', false],
    ['239.255.255.255', false],
    ['223.255.255.255', true],
    ['240.0.0.1', true],
    ['::', false],
    ['0:0::0:0', false],
    ['::1', true],
    ['ff02::1', false],
    ['FF0E::1', false],
    ['fe80::1', true],
    ['::ffff:0.0.0.0', false],
    ['::ffff:224.0.0.1', false],
    ['::ffff:c000:201', true],
  ])(
    'reads PSU-IP-Address %s as PSU present: %s (an impossible address makes the call unattended)',
    (address, present) => {
      const result = read([['PSU-IP-Address', address]], endpointRules.listAccounts);
      expect(result).toMatchObject({ headers: { psuIpAddress: present ? address : undefined } });
    },
  );

  it.each([
    'X-Request-ID',
    'PSU-IP-Address',
    'Idempotency-Key',
    'PSU-ID',
    'PSU-Corporate-ID',
    'TPP-Redirect-URI',
    'TPP-Nok-Redirect-URI',
    'Consent-ID',
  ])('rejects %s if it is sent twice, even with the same value', (name) => {
    const value: Readonly<Record<string, string>> = {
      'X-Request-ID': '0f8fad5b-d9cb-469f-a165-70867728950e',
      'PSU-IP-Address': '192.0.2.1',
      'TPP-Redirect-URI': 'https://tpp.example/ok',
      'TPP-Nok-Redirect-URI': 'https://tpp.example/ok',
      'Consent-ID': consentId,
    };
    const pair = [name, value[name] ?? 'ivan'] as const;
    expect(failing(read([pair, [name.toLowerCase(), pair[1]]]))).toEqual([`headerMalformed ${name}`]);
  });

  it('detects a repeated header that Node drops', () => {
    expect(isRepeated(['Authorization', 'a', 'authorization', 'b'], 'authorization')).toBe(true);
    expect(isRepeated(['Authorization', 'authorization', 'Accept', 'x'], 'authorization')).toBe(false);
  });

  it('reports all invalid headers together', () => {
    expect(
      failing(
        read([
          ['PSU-ID', ''],
          ['X-Request-ID', 'x'],
          ['TPP-Redirect-URI', 'x'],
        ]),
      ),
    ).toEqual(['headerMalformed X-Request-ID', 'headerMalformed PSU-ID', 'headerMalformed TPP-Redirect-URI']);
  });

  it.each(['TPP-Redirect-URI', 'TPP-Nok-Redirect-URI', 'TPP-Notification-URI'])(
    'states the rule on the origin first in the text that refuses %s',
    (name) => {
      const result = read([[name, 'http://127.0.0.1:9/x']]);
      const texts = 'failures' in result ? result.failures.map(({ text }) => text) : [];
      expect(texts).toEqual([
        expect.stringMatching(
          /^The origin of this URI must be that of a redirect URI that you registered\..*sandbox.* accepts http/,
        ),
      ]);
    },
  );

  it('reads redirect URIs only when a resource is created', () => {
    expect(failing(read([['TPP-Redirect-URI', 'x']], endpointRules.readPayment))).toEqual([]);
  });

  it('rejects a Consent-ID other than the one in the token with a separate code', () => {
    expect(failing(read([['Consent-ID', '0f8fad5b-d9cb-469f-a165-70867728950e']]))).toEqual([
      'consentHeaderDiffers Consent-ID',
    ]);
  });

  it('selects the newest version unless the request names a published one (contract 1, spec 9)', () => {
    const version = (pairs: readonly (readonly [string, string])[]): string | undefined => {
      const result = read(pairs, endpointRules.listAccounts);
      return 'headers' in result ? result.headers.apiVersion : failing(result)[0];
    };
    expect(version([])).toBe('1.3.2.2');
    expect(version([['X-API-Version', '1.0.0']])).toBe('1.0.0');
    for (const named of ['', '1', '1.3.2.3', '1.0.6', '1.0.0, 1.3.2', ' 1.0.0'])
      expect(version([['X-API-Version', named]])).toBe('versionNotPublished X-API-Version');
  });
});
