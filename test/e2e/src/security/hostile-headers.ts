import type { Hostile } from './hostile-bodies.js';

const wrongIds = [
  '',
  'x',
  '123',
  '{3f2504e0-4f89-41d3-9a0c-0305e82c3301}',
  '3f2504e0-4f89-41d3-9a0c-0305e82c330',
  '*',
];
const wrongAddresses = [
  '',
  'x',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  '01.2.3.4',
  '1.2.3.4, 5.6.7.8',
  '1.2.3.4:80',
  '[::1]',
  ':::',
  'fe80::1%eth0',
  '::1/64',
  '12345::',
  '0x7f.1',
  '2130706433',
  'localhost',
  '1.2.3.4 x',
  '１.2.3.4',
];

/**
 * Header lines of a payment POST that must be refused with 400 FORMAT_ERROR even if the rest of the request is
 * valid.
 */
export const hostileHeaders: readonly Hostile<readonly string[]>[] = [
  ...wrongIds.map((value): Hostile<readonly string[]> => [
    `X-Request-ID ${value}`,
    [`X-Request-ID: ${value}`],
  ]),
  ...wrongAddresses.map((value): Hostile<readonly string[]> => [
    `PSU-IP-Address ${value}`,
    [`PSU-IP-Address: ${value}`],
  ]),
  ['two PSU-IP-Address', ['PSU-IP-Address: 1.1.1.1', 'PSU-IP-Address: 1.1.1.1']],
  ['two spelt differently', ['PSU-IP-Address: 1.1.1.1', 'psu-ip-address: 2.2.2.2']],
  [
    'two X-Request-ID',
    [
      'X-Request-ID: 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      'X-Request-ID: 3f2504e0-4f89-41d3-9a0c-0305e82c3302',
    ],
  ],
  ['two Idempotency-Key', ['Idempotency-Key: a', 'Idempotency-Key: b']],
  ['an empty Idempotency-Key', ['Idempotency-Key:']],
  ['an Idempotency-Key of 129', [`Idempotency-Key: ${'k'.repeat(129)}`]],
  ['an Idempotency-Key beyond ASCII', ['Idempotency-Key: кл']],
  ['an Idempotency-Key with a tab', ['Idempotency-Key: a\tb']],
  ['two PSU-ID', ['PSU-ID: ivan', 'PSU-ID: maria']],
  ['an empty PSU-ID', ['PSU-ID:']],
  ['a PSU-ID of 300', [`PSU-ID: ${'p'.repeat(300)}`]],
  [
    'two TPP-Redirect-URI',
    ['TPP-Redirect-URI: http://127.0.0.1:8090/a', 'TPP-Redirect-URI: http://127.0.0.1:8090/b'],
  ],
];

/**
 * Addresses to which a PSU's browser must never be sent for a TPP registered at http://127.0.0.1:8090 and
 * http://localhost:8090.
 */
export const hostileRedirects: readonly string[] = [
  '',
  ' ',
  '/callback',
  '//127.0.0.1:8090/callback',
  'callback',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)//127.0.0.1:8090',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://127.0.0.1:8090/callback',
  'ws://127.0.0.1:8090/callback',
  'blob:http://127.0.0.1:8090/x',
  'about:blank',
  'https://127.0.0.1:8090/callback',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:80/callback',
  'http://127.0.0.1:8091/callback',
  'http://127.0.0.1:08090x/callback',
  'http://127.0.0.2:8090/callback',
  'http://[::1]:8090/callback',
  'http://0.0.0.0:8090/callback',
  'http://127.0.0.1.evil.example:8090/callback',
  'http://localhost.evil.example:8090/callback',
  'http://evil.example:8090/callback',
  'http://evil.example/127.0.0.1:8090/callback',
  'http://evil.example?http://127.0.0.1:8090/callback',
  'http://evil.example#@127.0.0.1:8090/callback',
  'http://127.0.0.1:8090@evil.example/callback',
  'http://evil.example@127.0.0.1:8090/callback',
  'http://user:pw@127.0.0.1:8090/callback',
  'http://@127.0.0.1:8090/callback',
  'http://127.0.0.1:8090\\@evil.example/callback',
  'http:\\\\127.0.0.1:8090\\callback',
  'http:/127.0.0.1:8090/callback',
  'http:127.0.0.1:8090/callback',
  'http:///127.0.0.1:8090/callback',
  'http://127.0.0.1:8090/callback#fragment',
  'http://127.0.0.1:8090/callback#',
  'http://127.0.0.1:8090/call back',
  'http://127.0.0.1:8090/<script>',
  'http://127.0.0.1:8090/"onload=',
  'http://127.0.0.1:8090/%zz',
  'http://127.0.0.1%2eevil.example:8090/',
  'http://evil。example/',
  `http://127.0.0.1:8090/${'a'.repeat(3000)}`,
];
