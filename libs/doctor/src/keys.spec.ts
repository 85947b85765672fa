import { expect, it } from '@jest/globals';
import { Clock } from '@xs2a/runtime/clock';
import { root } from '@xs2a/runtime/release';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signingKeyGuide, wrapAgain } from './keys.js';

const read = (page: string): string => readFileSync(join(root, page), 'utf8');

it('names the guide to signing keys, whose command generates a private P-256 key with `kid` and `iat`', () => {
  const [, command = ''] = /^```bash\n(node -e .*)\n```$/m.exec(read(signingKeyGuide)) ?? [];
  const key = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })) as Record<
    string,
    unknown
  >;
  expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', d: expect.any(String), kid: expect.any(String) });
  expect(Math.abs(Number(key['iat']) - new Clock(false).nowMs() / 1000)).toBeLessThan(60);
});

it('names the command for the rotation of master keys that docs/how-to/erasure.md describes', () => {
  expect(read('docs/how-to/erasure.md')).toContain(`\`${wrapAgain}\``);
});
