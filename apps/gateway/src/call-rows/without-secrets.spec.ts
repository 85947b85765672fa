import { describe, expect, it } from '@jest/globals';
import { exampleBodies } from '@xs2a/domain/payment/example-bodies';
import { euroExampleBodies } from '@xs2a/domain/payment/standards/euro-example-bodies';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '../openapi/document.js';
import {
  answerBodyWithoutSecrets,
  answerHeadersWithoutSecrets,
  requestBodyWithoutSecrets,
  requestHeadersWithoutSecrets,
  urlWithoutSecrets,
} from './without-secrets.js';

const token = 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ0cHAifQ.c2lnbmF0dXJl-_';

describe('a body in the log of a sandbox (docs/adr/0077)', () => {
  it.each([...Object.entries(exampleBodies), ...Object.entries(euroExampleBodies)])(
    'is shown as it was sent: a %s',
    (_product, example) => {
      for (const sent of [JSON.stringify(example), JSON.stringify(example, null, 2)])
        expect(requestBodyWithoutSecrets(sent)).toBe(sent);
    },
  );

  it('is shown as it was sent, even if it is malformed, has a member twice, or was cut', () => {
    for (const sent of [
      '{"a":1,"a":2}',
      '{"a": 1.50, }',
      '[1, [2], {"b": "c',
      '{"text": "a \\"quoted\\" {name}: 1"}',
    ])
      expect(requestBodyWithoutSecrets(sent)).toBe(sent);
  });

  it.each([
    'access_token',
    'accessToken',
    'refresh_token',
    'id_token',
    'client_secret',
    'clientSecret',
    'CLIENT-SECRET',
    'client_assertion',
    'code',
    'code_verifier',
    'password',
    'otp',
    'additionalPassword',
    'additionalEncryptedPassword',
    'confirmationCode',
    'oneTimePassword',
    'x-api-key',
    'client\\u005fsecret',
    '\\u0063ode',
  ])('has (hidden) in place of the value of %s', (name) => {
    expect(requestBodyWithoutSecrets(`{"${name}": "canary", "a": "b"}`)).toBe(
      `{"${name}": "(hidden)", "a": "b"}`,
    );
    for (const sent of [
      `{"${name}":"can\\"ary","a":{"b":1}}`,
      `{"x":{"${name}":"canary"},"a":{"b":1}}`,
      `[{"${name}":["canary",{"c":"canary"}]},{"a":{"b":1}}]`,
      `{"${name}":{"canary":"canary","d":["canary"]},"a":{"b":1}}`,
      `{"${name}" "canary"}`,
      `{'${name}':'canary'}`,
      `{${name}: canary}`,
      `{"${name}":"canary, 1`,
      `{"${name}":"canary\\`,
    ]) {
      const seen = requestBodyWithoutSecrets(sent);
      expect(seen).not.toMatch(/can\W*ary/);
      expect(seen.includes('{"b":1}')).toBe(sent.includes('{"b":1}'));
    }
  });

  it('has (hidden) in place of a token, whichever member contains it, and of a text that is no JSON', () => {
    expect(requestBodyWithoutSecrets(`{"remittance":"for ${token}!"}`)).toBe(
      '{"remittance":"for (hidden)!"}',
    );
    expect(
      requestBodyWithoutSecrets('{"x":"https://tpp/cb?code=canary&a=1&client_secret=canary","b":2}'),
    ).toBe('{"x":"https://tpp/cb?code=(hidden)&a=1&client_secret=(hidden)","b":2}');
    expect(requestBodyWithoutSecrets('grant_type=client_credentials&client_secret=canary')).toBe('(hidden)');
    expect(requestBodyWithoutSecrets('"canary"')).toBe('(hidden)');
  });

  it('shows the code of an error, but no other secret of an answer', () => {
    const refusal = '{"tppMessages":[{"category":"ERROR","code":"FORMAT_ERROR","path":"instructedAmount"}]}';
    expect(answerBodyWithoutSecrets(refusal)).toBe(refusal);
    expect(answerBodyWithoutSecrets('{"psuId":"psu-1","password":"canary"}')).toBe(
      '{"psuId":"psu-1","password":"(hidden)"}',
    );
  });

  it('has no control characters, which the database would refuse', () => {
    expect(requestBodyWithoutSecrets('{"a":"\u0000\u001b\u0085",\r\n\t"b":1}')).toBe(
      '{"a":"\uFFFD\uFFFD\uFFFD",\r\n\t"b":1}',
    );
  });
});

describe('a URL in the log of a sandbox', () => {
  it.each([
    ['/v1/accounts?withBalance=true', '/v1/accounts?withBalance=true'],
    ['/v1/accounts?access_token=canary&a=1', '/v1/accounts?access_token=(hidden)&a=1'],
    ['/v1/accounts?a=1&client%5fsecret=canary', '/v1/accounts?a=1&client%5fsecret=(hidden)'],
    ['/v1/accounts?a=1&code=canary#state=canary', '/v1/accounts?a=1&code=(hidden)#state=(hidden)'],
    ['/v1/accounts?u=https://x/?code=canary&a=1', '/v1/accounts?u=https://x/?code=(hidden)&a=1'],
    [
      '/v1/accounts?u=https%3A%2F%2Fx%3Fa%3D1%26code%3Dcanary%26b%3D2',
      '/v1/accounts?u=https%3A%2F%2Fx%3Fa%3D1%26code%3D(hidden)%26b%3D2',
    ],
    [`/v1/payments/${token}?t=${token}`, '/v1/payments/(hidden)?t=(hidden)'],
  ])('%s is shown as %s', (url, shown) => {
    expect(urlWithoutSecrets(url)).toBe(shown);
  });
});

describe('hiding secrets', () => {
  it.each(['?', '?a', '&=', '%3f', '"', '\\', '"\\', '{', 'eyJ', 'eyJ.', ' ', '"code":', '"a=', '&code='])(
    'takes little time for text that repeats %j, so that no TPP can keep the gateway busy',
    (part) => {
      const text = part.repeat(Math.ceil(32_768 / part.length));
      const began = performance.now();
      requestBodyWithoutSecrets(`{${text}`);
      urlWithoutSecrets(`/${text}`);
      expect(performance.now() - began).toBeLessThan(250);
    },
  );
});

describe('headers in the log of a sandbox', () => {
  it('are shown if they are on the list; the values of all others are hidden', () => {
    expect(
      requestHeadersWithoutSecrets({
        'content-type': 'application/json',
        'psu-ip-address': '192.0.2.1',
        'tpp-redirect-uri': 'https://tpp.example/callback?state=canary&lang=bg',
        authorization: `Bearer ${token}`,
        dpop: token,
        cookie: 'a=canary',
        signature: 'canary',
        'tpp-notification-uri': 'https://tpp.example/inbox/canary',
        'x-proxy-secret': 'canary',
        'x-my-key': 'canary',
        'user-agent': token,
        absent: undefined,
      }),
    ).toEqual({
      'content-type': 'application/json',
      'psu-ip-address': '192.0.2.1',
      'tpp-redirect-uri': 'https://tpp.example/callback?state=(hidden)&lang=bg',
      authorization: '(hidden)',
      dpop: '(hidden)',
      cookie: '(hidden)',
      signature: '(hidden)',
      'tpp-notification-uri': '(hidden)',
      'x-proxy-secret': '(hidden)',
      'x-my-key': '(hidden)',
      'user-agent': '(hidden)',
    });
    expect(
      answerHeadersWithoutSecrets({
        'retry-after': 1,
        'set-cookie': ['a=canary', 'b=canary'],
        location: '/v1/x',
      }),
    ).toEqual({ 'retry-after': '1', 'set-cookie': '(hidden)', location: '/v1/x' });
  });

  it('are shown if the API description names them, except credentials, signatures and addresses of receivers', () => {
    const origin = 'http://127.0.0.1:8080';
    const { paths, components } = openApiDocument({
      baseUrl: origin,
      pagesUrl: origin,
      sandbox: true,
      profile: makeProfile('sandbox'),
    });
    const parameters = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ parameters: list }) => (list ?? []) as { readonly in: string; readonly name: string }[]);
    const sent = new Set(
      parameters.filter((one) => one.in === 'header').map(({ name }) => name.toLowerCase()),
    );
    const hiddenOf = (shown: Readonly<Record<string, string>>): string[] =>
      Object.keys(shown).filter((name) => shown[name] !== 'x');
    const values = (names: Iterable<string>): Record<string, string> =>
      Object.fromEntries([...names].map((name) => [name, 'x']));
    expect(sent.size).toBeGreaterThan(20);
    expect(hiddenOf(requestHeadersWithoutSecrets(values(sent))).toSorted()).toEqual([
      'digest',
      'dpop',
      'signature',
      'tpp-notification-uri',
      'tpp-signature-certificate',
    ]);
    const answered = Object.keys(components.headers).map((name) => name.toLowerCase());
    expect(hiddenOf(answerHeadersWithoutSecrets(values(answered)))).toEqual([]);
  });
});
