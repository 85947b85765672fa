import { root } from '@xs2a/sandbox/layout';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Line } from '../../report.js';

/** Runs the command with one row and the given options, for a test. Returns the row's line. */
export const runRow = async (name: string, ...options: readonly string[]): Promise<Line> => {
  const args = [join(root, 'test/bench/dist/main.js'), '--json', '--row', name, ...options];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 280_000 });
  const { lines } = JSON.parse(stdout) as { readonly lines: readonly Line[] };
  const line = lines.find((one) => one.name === name);
  if (line === undefined) throw new Error(`no line is called ${name}`);
  return line;
};
