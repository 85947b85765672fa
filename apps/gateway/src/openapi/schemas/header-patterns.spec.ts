import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isIpLiteral } from '../../checks/headers/psu-address.js';
import { isRedirectUri } from '../../checks/headers/redirect-uris.js';
import { ipPattern, uriPattern } from './patterns.js';

const matches = (pattern: string, text: string): boolean => new RegExp(pattern).test(text);

describe('the PSU-IP-Address pattern (contract 2)', () => {
  it('matches exactly what validation accepts (20,000 runs)', () => {
    const nearly = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4Extended(),
      fc
        .array(
          fc.constantFrom('1', 'ab', 'FFFF', '00001', ':', '::', '.', '255', '256', '01', 'g', '%eth0'),
          {
            maxLength: 16,
          },
        )
        .map((parts) => parts.join('')),
      fc.array(fc.constantFrom('1', 'ab', '', 'FFFF'), { maxLength: 9 }).map((parts) => parts.join(':')),
    );
    fc.assert(
      fc.property(nearly, (text) => matches(ipPattern, text) === isIpLiteral(text)),
      { numRuns: 20_000 },
    );
  });

  it.each([
    '::',
    '::1',
    '1::',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '::ffff:10.0.0.1',
    '1:2:3:4:5:6:7:8',
    '0.0.0.0',
  ])('matches %s', (text) => expect(matches(ipPattern, text)).toBe(true));
});

describe('the patterns of redirect and notification URIs', () => {
  const hosts = [
    'tpp.example',
    'tpp.example:8443',
    '127.0.0.1:8090',
    'localhost',
    '[::1]:80',
    'user@tpp.example',
    '',
  ];
  const parts = [
    '',
    '/',
    '/ok',
    '?',
    '/a?b=c&d=%20',
    '#x',
    '/%zz',
    '/a b',
    '/"',
    '/x@y',
    '/[z]',
    '/\\',
    '/é',
    '/<',
    '/^',
  ];
  const schemes = ['https://', 'HTTPS://', 'http://', 'ftp://', 'https:', 'https:/'];
  const texts = schemes.flatMap((scheme) =>
    hosts.flatMap((host) => parts.map((part) => `${scheme}${host}${part}`)),
  );

  it.each([true, false])('match everything that validation accepts; sandbox: %s', (sandbox) => {
    const registered = texts.filter((text) => URL.canParse(text));
    const taken = texts.filter((text) => isRedirectUri(text, { registered, sandbox }));
    expect(taken.length).toBeGreaterThan(10);
    expect(taken.filter((text) => !matches(uriPattern(sandbox), text))).toEqual([]);
  });

  it.each([
    'http://tpp.example/',
    'https://user@tpp.example/',
    'https://tpp.example/#x',
    'https://tpp.example/%zz',
    'https://tpp.example/a b',
    'https:/tpp.example',
    'ftp://tpp.example/',
    '',
  ])('reject %j, as validation does', (text) => {
    expect(matches(uriPattern(true), text)).toBe(false);
    expect(
      isRedirectUri(text, { registered: ['https://tpp.example/', 'http://tpp.example/'], sandbox: true }),
    ).toBe(false);
  });

  it('match http with a loopback host in the sandbox only', () => {
    expect([true, false].map((sandbox) => matches(uriPattern(sandbox), 'http://127.0.0.1:8090/cb'))).toEqual([
      true,
      false,
    ]);
  });
});
