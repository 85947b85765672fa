import { readdirSync, readFileSync } from 'node:fs';

const readParent = (pid: string): number => {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
};

/** Returns the pids of a server process and its children, which PostgreSQL puts into separate process groups. */
const listProcesses = (pid: number): number[] => [
  pid,
  ...readdirSync('/proc')
    .filter((one) => /^\d+$/.test(one) && readParent(one) === pid)
    .map(Number),
];

/** Stops a server process first, so that it starts no more children, and then its children. Returns the pids. */
export const freeze = (pid: number): readonly number[] => {
  signal([pid], 'SIGSTOP');
  const pids = listProcesses(pid);
  signal(pids, 'SIGSTOP');
  return pids;
};

/** Sends a signal, skipping processes that have ended, because PostgreSQL's backends start and end all the time. */
export const signal = (pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
};
