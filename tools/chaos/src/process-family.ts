import { spawnSync } from 'node:child_process';

/** A process and its children, the parent first (PostgreSQL works in one process per connection). Empty for 0. */
export const familyOf = (pid: number): readonly number[] => {
  if (pid === 0) return [];
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  const children = stdout
    .split('\n')
    .map(Number)
    .filter((child) => child > 0);
  return [pid, ...children];
};
