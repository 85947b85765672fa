import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { patchedVersion } from './provider-patches.js';

const installed = new URL('../../../../node_modules/oidc-provider/', import.meta.url);
const readText = (file: string): string => readFileSync(fileURLToPath(new URL(file, installed)), 'utf8');

describe('the patches of oidc-provider', () => {
  it('were tested with the installed version; for a new version, test each of the three before changing patchedVersion', () => {
    const { version } = JSON.parse(readText('package.json')) as { readonly version: string };
    expect(version).toBe(patchedVersion);
  });

  it.each([
    ['lib/helpers/epoch_time.js', /export default .*Date\.now\(\)/s],
    ['lib/models/client.js', /\bcompareClientSecret\(\w+\) \{/],
    ['lib/models/replay_detection.js', /\bstatic async unique\(iss, jti, exp\) \{/],
  ])('find the code to be replaced in %s', (file, replaced) => {
    expect(readText(file)).toMatch(replaced);
  });
});
