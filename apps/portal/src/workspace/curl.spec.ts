import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { curlOf } from './curl.js';

describe('a call as curl', () => {
  it('repeats what the bank read, with the token as a variable and nothing of the connection', () => {
    const text = curlOf(
      {
        method: 'POST',
        url: '/v1/consents?x=1',
        headers: {
          host: '127.0.0.1:8080',
          authorization: '(hidden)',
          'content-type': 'application/json',
          'user-agent': 'node',
          'psu-ip-address': '192.0.2.7',
          'psu-id': '(hidden)',
          'x-request-id': '5f0ac1d2-6f6e-4b8e-9a44-6a2c6b0f1a77',
        },
        body: '{"a":1}',
      },
      'https://bank.example',
    );
    expect(text).toBe(`curl -X POST 'https://bank.example/v1/consents?x=1' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  -H 'psu-ip-address: 192.0.2.7' \\
  -d '{"a":1}'`);
  });

  it('runs nothing that was written into a call', () => {
    const evil = `'; touch /tmp/evil; echo '$(id)\`id\``;
    const text = curlOf(
      { method: 'POST', url: `/${evil}`, headers: { 'psu-id': evil }, body: evil },
      'http://b',
    );
    const shown = execFileSync('bash', ['-c', `curl() { printf '%s\\n' "$@"; }; ${text}`], {
      encoding: 'utf8',
    });
    expect(shown.split('\n')).toEqual([
      '-X',
      'POST',
      `http://b/${evil}`,
      '-H',
      `psu-id: ${evil}`,
      '-d',
      evil,
      '',
    ]);
  });
});
