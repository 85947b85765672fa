import { describe, expect, it } from '@jest/globals';
import { isRedirectUri } from './redirect-uris.js';

const registered = [
  'https://tpp.example/callback',
  'https://tpp.example:8443/callback',
  'http://127.0.0.1:8090/callback',
  'http://localhost:8090/cb',
];
const allowed = (uri: string, sandbox = true): boolean => isRedirectUri(uri, { registered, sandbox });

describe('the redirect URIs of a payment or consent (contract 2)', () => {
  it.each([
    'https://tpp.example',
    'https://tpp.example/',
    'https://tpp.example/ok?state=a%20b&x=1',
    'https://TPP.example/other/path',
    'https://tpp.example:443/ok',
    'https://tpp.example:8443/ok',
    'https://tpp.example/a;b=c/~user/(x)',
    'http://127.0.0.1:8090/ok',
    'http://localhost:8090/ok',
  ])('may be %s', (uri) => {
    expect(allowed(uri)).toBe(true);
  });

  it.each([
    '',
    'https://',
    'https:',
    '/callback',
    '//tpp.example/callback',
    'tpp.example/callback',
    'https:tpp.example/ok',
    'https:/tpp.example/ok',
    'https:///tpp.example/ok',
    'https:\\\\tpp.example\\ok',
    'https://tpp.example\\@evil.example/',
    'https://evil.example\\.tpp.example/',
    'http://tpp.example/callback',
    'https://evil.example/callback',
    'https://tpp.example.evil.example/',
    'https://eviltpp.example/',
    'https://tpp.example.',
    'https://tpp.example:8444/',
    'https://user@tpp.example/',
    'https://user:secret@tpp.example/',
    'https://tpp.example@evil.example/',
    'https://evil.example#@tpp.example/',
    'https://tpp.example/#fragment',
    'https://tpp.example/ok#',
    'https://tpp.example/a b',
    ' https://tpp.example/',
    'https://tpp.example/\tx',
    'https://tpp.example/\r\nLocation: https://evil.example',
    'https://tpp.example/\u0000',
    'https://tpp.example/\u202e',
    'https://tpp.еxample/',
    'https://tpp.example/%zz',
    'https://tpp.example/<script>',
    'https://tpp.example/"x"',
    'https://tpp.example/{x}',
    'https://tpp.example/a, https://tpp.example/b',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://tpp.example/',
    'blob:https://tpp.example/x',
    'http://127.0.0.1:8091/ok',
    'http://127.0.0.1/ok',
    'http://0x7f.0.0.1:9999/ok',
    'http://[::1]:8090/ok',
    'https://127.0.0.1:8090/ok',
    'http://169.254.169.254/latest',
    `https://tpp.example/${'x'.repeat(2000)}`,
  ])('may not be %j', (uri) => {
    expect(allowed(uri)).toBe(false);
  });

  it.each([
    'https://127.0.0.1:8090/ok',
    'https://localhost/ok',
    'https://a.localhost/ok',
    'https://[::1]:8443/ok',
  ])('may have a loopback host in the sandbox only: %s', (uri) => {
    expect(isRedirectUri(uri, { registered: [uri], sandbox: true })).toBe(true);
    expect(isRedirectUri(uri, { registered: [uri], sandbox: false })).toBe(false);
  });

  it.each([
    'https://10.0.0.5/ok',
    'https://192.168.1.1:8443/ok',
    'https://169.254.169.254/ok',
    'https://100.64.0.1/ok',
    'https://0.0.0.0/ok',
    'https://[fd00::1]/ok',
    'https://[fe80::1]/ok',
    'https://[::ffff:127.0.0.1]/ok',
    'https://[64:ff9b::10.0.0.5]/ok',
  ])('may not have a private address, even in the sandbox: %s', (uri) => {
    for (const sandbox of [true, false])
      expect(isRedirectUri(uri, { registered: [uri], sandbox })).toBe(false);
  });

  it('may use http with a loopback host in the sandbox only', () => {
    expect(allowed('http://127.0.0.1:8090/ok', false)).toBe(false);
    expect(allowed('https://tpp.example/ok', false)).toBe(true);
  });
});
