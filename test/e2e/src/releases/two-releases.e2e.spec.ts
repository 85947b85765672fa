// Lane: long (two releases are exchanged under load).
import { describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/sandbox/layout';
import { runTwoReleases } from './two-releases.js';

describe('upgrade and step back (docs/how-to/upgrade.md)', () => {
  it('every process is replaced three times under load, and no request fails', async () => {
    // The same release on both sides: another one is not at hand in a test run, see `npm run two-releases`.
    const { failures, payments, steps } = await runTwoReleases({ other: root, seconds: 1 });
    process.stderr.write(
      `counts: rolling upgrade: ${steps.reduce((sum, { requests }) => sum + requests, 0)} requests, ${payments} payments, ${failures.length} failed\n`,
    );
    expect(failures).toEqual([]);
    expect(payments).toBeGreaterThan(0);
  }, 300_000);
});
