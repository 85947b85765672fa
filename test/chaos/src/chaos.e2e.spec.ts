// Lane: long, alone (a one-minute fault run and its checks).
import { describe, expect, it } from '@jest/globals';
import { reportText } from './report.js';
import { runChaos } from './run.js';
import { listFaultKinds } from './faults/schedule.js';

describe('faults from a fixed seed (quality: reliability)', () => {
  it('cause no loss, no duplicate, no wrong refusal, no overdue work and no hanging request', async () => {
    const report = await runChaos({ seed: 20_251, seconds: 60 });
    process.stderr.write(`${reportText(report).replaceAll(/^/gm, 'counts: ')}\n`);
    expect(report.invariants.map(({ number, violations }) => [number, violations])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, []]),
    );
    expect([report.answers.violations, report.answers.overTen]).toEqual([[], 0]);
    expect(report.answers.answers).toBeGreaterThan(report.acknowledged['status reads'] ?? 0);
    expect([report.lost, report.doubled, report.wronglyRefused]).toEqual([0, 0, []]);
    expect(report.failedInRestarts).toEqual([]);
    for (const kind of ['database goes back', 'promoted standby', 'frozen for a minute', 'long snapshot'])
      expect([kind, (report.faults[kind] ?? 0) > 0]).toEqual([kind, true]);
    const kinds = new Set(Object.keys(report.faults).map((name) => name.replace(/^kill .*/, 'kill')));
    expect(kinds.size).toBeGreaterThanOrEqual(listFaultKinds({ cluster: false }).length / 2);
    expect(report.acknowledged['payments initiated']).toBeGreaterThanOrEqual(20);
  }, 400_000);
});
