// Lane: nightly (a fault run with three NATS servers).
import { describe, expect, it } from '@jest/globals';
import { reportText } from './report.js';
import { runChaos } from './run.js';

describe('faults from a fixed seed with a cluster of three NATS servers (quality: reliability)', () => {
  it('cause no loss, no duplicate, no wrong refusal, no overdue work and no hanging request, even when nodes crash, freeze or lose their files', async () => {
    const report = await runChaos({ seed: 291, seconds: 60, cluster: true });
    process.stderr.write(`${reportText(report).replaceAll(/^/gm, 'counts: ')}\n`);
    expect(report.invariants.map(({ number, violations }) => [number, violations])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, []]),
    );
    expect(report.wronglyRefused).toEqual([]);
    expect(report.failedInRestarts).toEqual([]);
    expect([report.answers.violations, report.answers.overTen]).toEqual([[], 0]);
    expect(report.answers.answers).toBeGreaterThan(report.acknowledged['status reads'] ?? 0);
    expect(
      Object.keys(report.faults).filter((kind) => /node|quorum/.test(kind)).length,
    ).toBeGreaterThanOrEqual(2);
    expect(report.acknowledged['payments initiated']).toBeGreaterThanOrEqual(20);
  }, 400_000);
});
