import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Lists a process and its children, the parent first, because PostgreSQL uses one process per connection. Empty
 * for pid 0.
 */
const listFamily = (pid: number): readonly number[] => {
  if (pid === 0) return [];
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  const children = stdout
    .split('\n')
    .map(Number)
    .filter((child) => child > 0);
  return [pid, ...children];
};

/** Sends SIGSTOP to a process and its children, and SIGCONT some seconds later. Returns whether the process existed. */
export const whileFrozen = async (pid: number, seconds: number): Promise<boolean> => {
  const family = listFamily(pid);
  signalAll(family, 'SIGSTOP');
  await wait(seconds * 1000);
  signalAll(family, 'SIGCONT');
  return family.length > 0;
};

/** Sends SIGKILL to a process and its children, the parent first, so that the parent cannot create more children. */
export const killFamily = (pid: number): void => signalAll(listFamily(pid), 'SIGKILL');

const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has already ended.
    }
  }
};
