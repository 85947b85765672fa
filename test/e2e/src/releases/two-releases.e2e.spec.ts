// Lane: nightly (three releases are rolled out under load).
import { describe, expect, it } from '@jest/globals';
import { runTwoReleases } from './two-releases.js';

describe('upgrade and rollback (docs/how-to/upgrade.md)', () => {
  it('moves every process to the next release and back under load without a failed request, and reads events of both versions', async () => {
    const { failures, payments, signedByVersion, steps } = await runTwoReleases({ seconds: 1 });
    process.stderr.write(
      `counts: rolling upgrade: ${steps.reduce((sum, { requests }) => sum + requests, 0)} requests, ${payments} payments, ${failures.length} failed\n`,
    );
    expect(failures).toEqual([]);
    expect(signedByVersion).toEqual({ 1: expect.any(Number), 2: expect.any(Number) });
    expect(payments).toBe(Object.values(signedByVersion).reduce((sum, count) => sum + count, 0));
  }, 600_000);
});
