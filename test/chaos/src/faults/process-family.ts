import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

/** A process and its children, the parent first (PostgreSQL works in one process per connection). Empty for 0. */
const listFamily = (pid: number): readonly number[] => {
  if (pid === 0) return [];
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  const children = stdout
    .split('\n')
    .map(Number)
    .filter((child) => child > 0);
  return [pid, ...children];
};

/** SIGSTOP to a process and its children, SIGCONT some seconds later. Returns whether there was one. */
export const whileFrozen = async (pid: number, seconds: number): Promise<boolean> => {
  const family = listFamily(pid);
  signalAll(family, 'SIGSTOP');
  await wait(seconds * 1000);
  signalAll(family, 'SIGCONT');
  return family.length > 0;
};

/** kill -9 of a process and its children, the parent first, so that it makes no more of them. */
export const killFamily = (pid: number): void => signalAll(listFamily(pid), 'SIGKILL');

const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended in the meantime.
    }
  }
};
