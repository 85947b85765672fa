import { describe, expect, it } from '@jest/globals';
import { diskOutcome, storageOutcome } from './storage.js';
import type { ServerStorage } from './server-storage.js';

const at = (part: number, server = 'one'): ServerStorage => ({ server, used: part * 1e9, limit: 1e9 });
const outcome = (...storages: readonly ServerStorage[]) =>
  storageOutcome(storages, '', (megabytes) => `bound ${megabytes}`);

describe('the doctor check of JetStream storage (docs/runbooks/disk-fills.md)', () => {
  it.each([
    [0, true, undefined],
    [0.79, true, undefined],
    [0.8, true, 'bound 500'],
    [0.94, true, 'bound 500'],
    [0.95, false, 'bound 500'],
    [1.01, false, 'bound 500'],
  ])('for a used fraction of %d, returns ok %s and the command %s', (part, ok, repair) => {
    const { ok: isOk, repair: command } = outcome(at(part));
    expect([isOk, command]).toEqual([ok, repair]);
  });

  it('reports the fullest server of a cluster', () => {
    expect(outcome(at(0.1, 'a'), at(0.9, 'b'), at(0.2, 'c'))).toEqual({
      ok: true,
      text: 'b, the fullest of 3, stores 900 MB of 1.0 GB (90 %)',
      repair: 'bound 500',
    });
  });

  it('reports that no server answered', () => {
    expect(outcome()).toEqual({ ok: true, text: 'no server reports its storage' });
  });
});

describe('the doctor check of the disk', () => {
  it.each([
    [3e9, true, false],
    [1.9e9, true, true],
    [0.4e9, false, true],
  ])('with %d bytes free, returns ok %s and has a command to run: %s', (free, ok, repairs) => {
    const found = diskOutcome('/data', free, 45e6);
    expect([found.ok, found.repair !== undefined]).toEqual([ok, repairs]);
    expect(found.text).toContain('the database uses 45 MB');
  });
});
