// Lane: nightly (a fault run of a minute and its checks).
import { describe, expect, it } from '@jest/globals';
import { reportText } from './report.js';
import { runChaos } from './run.js';

describe('faults from a fixed seed at a bank in euro (quality: reliability; E3.5, E4.1)', () => {
  it('neither book a rejected instant payment nor let one be signed before its payee is verified, and lose or double nothing', async () => {
    const report = await runChaos({ seed: 20_261, seconds: 60, profile: 'bg-euro' });
    process.stderr.write(`${reportText(report).replaceAll(/^/gm, 'counts: ')}\n`);
    expect(report.invariants.map(({ number, violations }) => [number, violations])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, []]),
    );
    expect([report.answers.violations, report.answers.overTen]).toEqual([[], 0]);
    expect([report.lost, report.doubled, report.wronglyRefused]).toEqual([0, 0, []]);
    expect(report.failedInRestarts).toEqual([]);
    expect(report.faults['silent bank']).toBeGreaterThan(0);
    expect(report.acknowledged['instant payments signed']).toBeGreaterThanOrEqual(20);
  }, 400_000);
});
