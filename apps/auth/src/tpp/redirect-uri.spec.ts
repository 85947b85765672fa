import { describe, expect, it } from '@jest/globals';
import { isRedirectUri } from './redirect-uri.js';

describe('redirect URIs (contract 2, 4)', () => {
  it.each([
    'https://acme.example',
    'https://acme.example/cb?a=b',
    'https://acme.example:8443/cb',
    'http://127.0.0.1:8090/cb',
    'http://localhost:8090/cb',
    'http://[::1]:8090/cb',
  ])('may be %s', (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    'http://acme.example/cb',
    'http://127.0.0.1.acme.example/cb',
    'http://0.0.0.0/cb',
    'https://10.0.0.5/cb',
    'https://169.254.169.254/cb',
    'https://[fd00::1]/cb',
    'https://acme.example;sandbox/cb',
    'https://acme.example,sandbox/cb',
    'https://*/cb',
    'https://*.acme.example/cb',
    'https://[::ffff:a00:5]/cb',
    'https://acme.example/cb#',
    'https://acme.example/cb#x',
    'https://user@acme.example/cb',
    'https://user:pw@acme.example/cb',
    'https:acme.example/cb',
    'https:///acme.example/cb',
    'https://acme.example\\@evil.example/',
    'HTTPS://acme.example/cb',
    'https://ACME.example/cb',
    'https://acme.example/a b',
    'https://acme.example/\n',
    'https://acme.example/\u202ecb',
    'javascript:alert(1)',
    'data:text/html,x',
    'acme:/cb',
    '/cb',
    '',
    7,
    null,
  ])('may not be %j', (uri) => expect(isRedirectUri(uri)).toBe(false));
});
