import { describe, expect, it } from '@jest/globals';
import { receiverRules } from '@xs2a/runtime/receivers/notification-receivers';
import { endpointRules } from '../../endpoint-rules.js';
import { notificationSupport } from './notification-headers.js';
import { readHeaders } from './request-headers.js';

const registered = ['https://tpp.example/cb', 'http://127.0.0.1:8090/cb', 'https://10.0.0.5/cb'];
const read = (
  headers: Record<string, string>,
  {
    sandbox = true,
    baseUrl = 'http://127.0.0.1:8080',
    rule = endpointRules.initiatePayment,
    uris = registered,
  } = {},
) =>
  readHeaders(
    { headers, rawHeaders: Object.entries(headers).flat() },
    {
      rule,
      registered: uris,
      sandbox,
      receivers: receiverRules({ SANDBOX: sandbox, BASE_URL: baseUrl }),
      nowMs: 0,
    },
  );
const registrationIn = (...asked: Parameters<typeof read>): unknown => {
  const result = read(...asked);
  return 'headers' in result ? result.headers.notification : result.failures.map(({ path }) => path);
};
const uriHeader = (uri: string): Record<string, string> => ({ 'tpp-notification-uri': uri });

describe('TPP-Notification-URI (contract 11)', () => {
  it.each([
    'initiatePayment',
    'startPaymentAuthorisation',
    'createConsent',
    'startConsentAuthorisation',
  ] as const)('is read on %s', (endpoint) => {
    const asked = { rule: endpointRules[endpoint] };
    expect(registrationIn(uriHeader('https://tpp.example/push?x=1'), asked)).toEqual({
      uri: 'https://tpp.example/push?x=1',
      content: [],
    });
  });

  it('has no effect on other endpoints', () => {
    const asked = { rule: endpointRules.confirmFunds };
    expect(registrationIn(uriHeader('https://elsewhere.example/'), asked)).toBeUndefined();
  });

  it.each([
    'https://elsewhere.example/push',
    'https://tpp.example:8443/push',
    'http://tpp.example/push',
    'https://user@tpp.example/push',
    'https://tpp.example/push#there',
    'https://tpp.example/push, https://tpp.example/push',
    'ftp://tpp.example/push',
    '',
  ])('must have the same origin as a redirect URI, so %j is rejected', (uri) => {
    expect(registrationIn(uriHeader(uri))).toEqual(['TPP-Notification-URI']);
  });

  it('may use http on loopback in the sandbox, but never outside it', () => {
    const uri = uriHeader('http://127.0.0.1:8090/push');
    expect(registrationIn(uri)).toMatchObject({ uri: 'http://127.0.0.1:8090/push' });
    expect(registrationIn(uri, { sandbox: false })).toEqual(['TPP-Notification-URI']);
  });

  it.each([
    'https://10.0.0.5/push',
    'https://127.0.0.1/push',
    'https://2130706433/push',
    'https://0x7f.1/push',
    'https://169.254.169.254/push',
    'https://[::1]/push',
    'https://[::ffff:10.0.0.5]/push',
    'https://[fd00::1]/push',
    'https://localhost/push',
    'https://a.localhost/push',
    'https://tpp.example:8443/push',
  ])(
    'must not have a private address or a disallowed port, unless the sandbox is on a loopback host: %s',
    (uri) => {
      for (const asked of [{ sandbox: false }, { baseUrl: 'https://sandbox.bank.example' }])
        expect(registrationIn(uriHeader(uri), { ...asked, uris: [uri] })).toEqual(['TPP-Notification-URI']);
    },
  );
});

describe('TPP-Notification-Content-Preferred (contract 11)', () => {
  it('is rejected if malformed, together with all other violations', () => {
    const headers = { ...uriHeader('https://tpp.example/'), 'tpp-notification-content-preferred': 'ALL' };
    expect(registrationIn(headers)).toEqual(['TPP-Notification-Content-Preferred']);
    expect(registrationIn({ ...headers, 'psu-id': '', 'tpp-notification-uri': 'x' })).toEqual([
      'PSU-ID',
      'TPP-Notification-Content-Preferred',
      'TPP-Notification-URI',
    ]);
  });

  it('selects the notifications that are pushed', () => {
    const headers = {
      ...uriHeader('https://tpp.example/'),
      'tpp-notification-content-preferred': 'status=LAST,SCA',
    };
    expect(registrationIn(headers)).toMatchObject({ content: ['SCA', 'LAST'] });
    expect(notificationSupport(headers, endpointRules.createConsent)).toEqual({
      'aspsp-notification-support': 'true',
      'aspsp-notification-content': 'status=SCA,LAST',
    });
  });
});
