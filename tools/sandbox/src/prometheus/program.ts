import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../layout.js';

/** The folder to which tools/workspace/prepare.mjs extracts Debian's package. */
const extracted = join(root, '.xs2a/prometheus/usr/bin');

/** Returns Prometheus or its test tool, from the PATH or from the checkout. Throws a one-line error if it is missing. */
export const prometheusProgram = (name: 'prometheus' | 'promtool'): string => {
  const found = [name, join(extracted, name)].find(
    (program) => spawnSync(program, ['--version']).status === 0,
  );
  if (found === undefined) throw new Error(`${name} is missing. Run: npm start -- --observability`);
  return found;
};
