import { existsSync, readFileSync } from 'node:fs';

/** A named part of what is measured, and its main process. */
export interface Part {
  readonly name: string;
  readonly pid: number;
}

/** Ticks per second in /proc; the same on every Linux that Node runs on. */
const ticksPerSecond = 100;
const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Seconds of processor time that a process has used, without or with its children (PostgreSQL has one for each connection). */
const usedBy = (pid: number): number => {
  // The name, in brackets, may contain anything; user and system time are the 14th and 15th field, followed by ended children.
  const fields = readText(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
  const children = readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + usedBy(Number(child)), Number.isNaN(own) ? 0 : own);
};

/** Processor seconds of each part until now; empty where there is no /proc. */
export const cpuSeconds = (parts: readonly Part[]): ReadonlyMap<string, number> =>
  new Map(existsSync('/proc/self/stat') ? parts.map(({ name, pid }) => [name, usedBy(pid)]) : []);

/** `sum` plus the time used from `before` to `after`. */
export const addCpu = (
  sum: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> =>
  new Map(
    [...after].map(([name, seconds]) => [name, (sum.get(name) ?? 0) + seconds - (before.get(name) ?? 0)]),
  );

/** Milliseconds of processor time that each part spent on one request, most first; `spent` in seconds. */
export const cpuPerRequest = (
  spent: ReadonlyMap<string, number>,
  requests: number,
): readonly (readonly [name: string, ms: number])[] =>
  [...spent]
    .map(([name, seconds]) => [name, (seconds * 1000) / requests] as const)
    .filter(([, ms]) => ms >= 0.005)
    .sort(([, a], [, b]) => b - a);
