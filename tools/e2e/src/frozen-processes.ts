import { readdirSync, readFileSync } from 'node:fs';

const parentOf = (pid: string): number => {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
};

/** A server process with its children, which PostgreSQL gives groups of their own. */
export const processesOf = (pid: number): number[] => [
  pid,
  ...readdirSync('/proc')
    .filter((one) => /^\d+$/.test(one) && parentOf(one) === pid)
    .map(Number),
];

export const signal = (pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void => {
  for (const pid of pids) process.kill(pid, name);
};
