import { expect, it } from '@jest/globals';
import { isWaitedFor, missingStandbys, standbyLag, type Standby, synchronousNames } from './standbys.js';

const standby: Standby = {
  name: 'standby1',
  state: 'streaming',
  syncState: 'sync',
  behindBytes: 120,
  lagMs: 3,
};

it.each([
  ['', []],
  ['*', []],
  ['standby1', ['standby1']],
  ['standby1, "standby-2"', ['standby1', 'standby-2']],
  ['FIRST 1 (standby1, standby2)', ['standby1', 'standby2']],
  ['ANY 2 ("standby1",standby2)', ['standby1', 'standby2']],
  ['1 (*)', []],
])(
  'reads the names of the standbys in the PostgreSQL setting synchronous_standby_names = %j',
  (setting, names) => {
    expect(synchronousNames(setting)).toEqual(names);
  },
);

it.each([
  ['no standby if the setting is empty', '', [], []],
  ['no standby if the named standby is connected', 'ANY 1 (standby1)', [standby], []],
  ['the named standby that is not connected', 'ANY 1 (standby1, standby2)', [standby], ['standby2']],
  ['no standby for * while any standby is connected', '*', [standby], []],
  ['* while no standby is connected', '*', [], ['*']],
])('reports as missing %s', (_which, setting, standbys, missing) => {
  expect(missingStandbys(setting, standbys)).toEqual(missing);
});

it('reports that commits wait for a streaming standby that is synchronous or a quorum member', () => {
  expect(isWaitedFor(standby)).toBe(true);
  expect(isWaitedFor({ ...standby, syncState: 'quorum' })).toBe(true);
  expect(isWaitedFor({ ...standby, syncState: 'async' })).toBe(false);
  expect(isWaitedFor({ ...standby, state: 'catchup' })).toBe(false);
});

it('prints how far a standby is behind in bytes and time, and ? for an unknown number of bytes', () => {
  expect([standbyLag(standby), standbyLag({ ...standby, behindBytes: null, lagMs: null })]).toEqual([
    '120 bytes, 3 ms',
    '? bytes',
  ]);
});
