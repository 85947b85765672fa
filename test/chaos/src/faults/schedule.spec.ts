import { describe, expect, it } from '@jest/globals';
import {
  countedAs,
  describeFault,
  listFaultKinds,
  planSchedule,
  type Setting,
  listVictims,
} from './schedule.js';

const settings: readonly (readonly [string, Setting])[] = [
  ['one NATS server', { cluster: false }],
  ['a cluster of NATS servers', { cluster: true }],
  ['instant payments', { cluster: false, instant: true }],
];

describe.each(settings)('a fault schedule with %s (quality: reliability)', (_, setting) => {
  it('is the same for the same seed, differs for another seed, and begins with the same faults when it is longer', () => {
    const short = planSchedule(7, 30, setting);
    expect(planSchedule(7, 30, setting)).toEqual(short);
    expect(planSchedule(7, 120, setting).slice(0, short.length)).toEqual(short);
    expect(planSchedule(8, 30, setting)).not.toEqual(short);
  });

  it('contains every kind of fault within a minute for every seed, and kills every process within five minutes', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const kinds = new Set(planSchedule(seed, 60, setting).map(({ fault }) => fault.kind));
      expect([...kinds].sort()).toEqual([...listFaultKinds(setting)].sort());
      const killed = planSchedule(seed, 300, setting).flatMap(({ fault }) =>
        fault.kind === 'kill' ? [fault.victim] : [],
      );
      expect([...new Set(killed)].sort()).toEqual([...listVictims(setting)].sort());
    }
  });

  it('contains a database restore, a standby promotion and every one-minute fault among its first eight faults, and each several times in ten minutes', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const kinds = planSchedule(seed, 600, setting).map(({ fault }) => fault.kind);
      for (const early of [
        'database goes back',
        'promoted standby',
        'frozen for a minute',
        'long snapshot',
      ] as const) {
        expect(kinds.indexOf(early)).toBeLessThan(8);
        expect(kinds.filter((kind) => kind === early).length).toBeGreaterThanOrEqual(5);
      }
    }
  });
});

it('a schedule contains the two-releases fault only if the run has a next release', () => {
  const kinds = (twoReleases: boolean) => listFaultKinds({ cluster: false, twoReleases });
  expect([kinds(false).includes('two releases'), kinds(true).includes('two releases')]).toEqual([
    false,
    true,
  ]);
});

describe('a fault', () => {
  it('is described in words and counted by kind, and by victim or role where relevant', () => {
    expect(describeFault({ kind: 'kill', victim: 'postgres' })).toBe('kill postgres');
    expect(describeFault({ kind: 'twin', service: 'payments', seconds: 2, end: 'SIGKILL' })).toBe(
      'twin payments 2 SIGKILL',
    );
    expect(describeFault({ kind: 'database goes back', seconds: 5 })).toBe('database goes back 5');
    expect(countedAs({ kind: 'database goes back', seconds: 5 })).toBe('database goes back');
    expect(countedAs({ kind: 'kill', victim: 'postgres' })).toBe('kill postgres');
    expect(countedAs({ kind: 'kill', victim: 'payments-2' })).toBe('kill payments-2');
    expect(countedAs({ kind: 'wipe node', role: 'leader', seconds: 1 })).toBe('wipe node leader');
    expect(countedAs({ kind: 'cut connections', role: 'xs2a_auth' })).toBe('cut connections');
  });
});
