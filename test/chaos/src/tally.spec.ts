import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChaosReport } from './report.js';
import { appendCounts, readCounts, tallyText } from './tally.js';

const report: ChaosReport = {
  seed: 7,
  seconds: 60,
  cluster: false,
  profile: 'sandbox',
  payers: 5,
  faults: { 'kill postgres': 1200, 'host vanishes': 1 },
  acknowledged: { 'payments signed': 800 },
  uncertain: {},
  retries: 0,
  restarts: 0,
  maxWait: { seconds: 0, what: '', tries: 0, maxTrySeconds: 0, failed: {} },
  answers: { answers: 4000, overTwo: 1, overTen: 0, slow: {}, excused: 0, violations: [] },
  restAfterSeconds: 1,
  lost: 0,
  doubled: 0,
  wronglyRefused: [],
  failedInRestarts: [],
  invariants: [{ number: 3, rule: '', checked: '', violations: [] }],
};

describe('the totals of many runs (quality: reliability)', () => {
  const makeTally = (...reports: readonly ChaosReport[]): string[] => {
    const folder = mkdtempSync(join(tmpdir(), 'xs2a-tally-'));
    try {
      const file = join(folder, 'runs');
      for (const one of reports) appendCounts(file, one);
      return tallyText(readCounts(file)).split('\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('are added up by kind and in total', () => {
    expect(makeTally(report, { ...report, seed: 8, faults: { 'kill postgres': 800 } })).toEqual([
      '2,001 faults over 2 runs (120 s): lost 0, doubled 0, wrongly refused 0',
      'failed in rolling restarts 0; answers 8,000, after more than 10 s 0',
      '      1 × host vanishes',
      '  2,000 × kill postgres',
      'acknowledged: payments signed 1,600',
      'every invariant held in every run',
    ]);
  });

  it('name the seeds of failed runs', () => {
    const broken = { ...report, seed: 9, cluster: true, lost: 2, wronglyRefused: ['payment 1'] };
    const [first, , , , , last] = makeTally(report, broken);
    expect(first).toBe('2,402 faults over 2 runs (120 s): lost 2, doubled 0, wrongly refused 1');
    expect(last).toBe('BROKEN in seeds 9 (cluster)');
  });
});
