import { describe, expect, it } from '@jest/globals';
import { describeLoss } from './replication.js';

describe('the possible loss of an acknowledged write', () => {
  it.each([
    ['', 'on', 'synchronous_standby_names is empty'],
    [' ', 'remote_apply', 'synchronous_standby_names is empty'],
    ['standby', 'off', 'synchronous_commit is off'],
    ['standby', 'local', 'synchronous_commit is local'],
    ['standby', 'on', undefined],
    ['FIRST 1 (a, b)', 'remote_apply', undefined],
    ['ANY 1 (a, b)', 'remote_write', undefined],
  ])('with standbys "%s" and synchronous_commit %s is reported as: %s', (standbyNames, commit, why) => {
    const loss = describeLoss({ standbyNames, commit });
    expect(loss === undefined ? undefined : loss.slice(0, why?.length)).toBe(why);
  });
});
