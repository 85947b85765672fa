import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import { SampleProjection, sums } from '../testing/sample-projection.js';
import { counted } from '../testing/sample-stream.js';
import { sequenceAll } from '../testing/sequence-all.js';
import { readModelReport, rebuildTable, recordRebuild } from './read-model-report.js';

let sample: SampleProjection;
beforeAll(async () => {
  sample = await SampleProjection.start();
  await sample.clear();
  await sample.sql(rebuildTable('payments', 'xs2a_payments'));
  for (let count = 0; count < 3; count += 1)
    await sample.store.append({ streamId: newId(), events: [counted(1)], actor: 'tester' });
  await sequenceAll(sample.pool);
  await sample.sql('UPDATE payments.projection SET pos = 1');
}, 60_000);
afterAll(async () => sample.stop());

const report = async (version = 1) =>
  readModelReport(sample.pool, { projections: [sums(version)], views: ['sample_view'] });

describe('the report on the read models of a service', () => {
  it('shows 2 unread events for a projection at position 1 of 3, and none for a status view', async () => {
    expect(await report()).toEqual([
      { name: 'sample_sums', version: 1, isOutdated: false, pos: 1, behind: 2 },
      { name: 'sample_view', isOutdated: false, pos: 3, behind: 0 },
    ]);
  });

  it('marks a projection as outdated if its stored version differs from the version of the release', async () => {
    expect((await report(2)).map(({ isOutdated }) => isOutdated)).toEqual([true, false]);
  });

  it('shows the time of the latest rebuild only for the read model that was rebuilt', async () => {
    await recordRebuild(sample.owner, 'sample_view');
    const [, first] = await report();
    expect(first?.rebuiltAt).toMatch(/^\d{4}-.*Z$/);
    await recordRebuild(sample.owner, 'sample_view');
    const [projection, second] = await report();
    expect(Date.parse(second?.rebuiltAt ?? '')).toBeGreaterThan(Date.parse(first?.rebuiltAt ?? ''));
    expect(projection).not.toHaveProperty('rebuiltAt');
  });

  it('contains only the status views of a service without projections, whose schema has no checkpoint table', async () => {
    expect(
      await readModelReport(sample.database.pool(), { projections: [], views: ['sample_view'] }),
    ).toHaveLength(1);
  });
});
