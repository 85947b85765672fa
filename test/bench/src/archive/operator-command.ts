import { root } from '@xs2a/sandbox/layout';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchWorld } from '../world/bench-world.js';

/**
 * Runs the operator's command as the sandbox's operator does. Returns its JSON values and its duration in seconds. A month can be archived
 * once two more months have passed.
 */
export const xs2a = async <Value>(
  { sandbox }: BenchWorld,
  ...args: readonly string[]
): Promise<{ readonly values: readonly Value[]; readonly seconds: number }> => {
  const begun = performance.now();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'tools/sandbox/dist/xs2a.js'), ...args, '--json'],
    {
      env: { ...process.env, XS2A_DATA_DIR: sandbox.dataDir, PAYMENTS_ARCHIVED_AFTER_MONTHS: '2' },
      maxBuffer: 2 ** 26,
    },
  );
  const lines = stdout.split('\n').filter((line) => line !== '');
  return {
    values: lines.map((line) => JSON.parse(line) as Value),
    seconds: (performance.now() - begun) / 1000,
  };
};
