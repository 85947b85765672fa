import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProfileName } from '@xs2a/domain/profile/profile';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLayout } from './layout.js';
import { keepToProfile } from './sandbox-profiles.js';

describe('the profile of a data folder', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'xs2a-profile-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));
  const start = (profile: ProfileName): void => keepToProfile(makeLayout(dataDir), profile);

  it.each([
    ['sandbox', 'bg-euro'],
    ['bg-euro', 'production'],
    ['bg-euro-production', 'sandbox'],
  ] as const)('cannot change from %s to %s, because the data is in another currency', (first, second) => {
    start(first);
    expect(() => start(second)).toThrow(`npm start -- --profile ${first},`);
    expect(() => start(second)).toThrow(`npm start -- --profile ${second} --reset`);
    expect(() => start(first)).not.toThrow();
  });

  it.each([
    ['sandbox', 'production'],
    ['bg-euro', 'bg-euro-production'],
  ] as const)('can change from %s to %s, in the same currency, and back', (first, second) => {
    start(first);
    start(second);
    expect(() => start(first)).not.toThrow();
  });

  it('is in leva if the data is from before the profiles in euro', () => {
    mkdirSync(makeLayout(dataDir).postgres);
    expect(() => start('bg-euro')).toThrow(/has the data of a bank in BGN \(profile sandbox\)/);
    expect(() => start('sandbox')).not.toThrow();
  });
});
