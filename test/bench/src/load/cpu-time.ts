import { existsSync } from 'node:fs';
import { listFamily, readText } from './proc.js';

/** A named part of the measured system, and its main process. */
export interface Part {
  readonly name: string;
  readonly pid: number;
}

/** Milliseconds of processor time per request, by part, largest first; empty where the system does not report it. */
export type CpuTimes = readonly (readonly [name: string, ms: number])[];

/** Ticks per second in /proc; the same on every Linux system that Node runs on. */
const ticksPerSecond = 100;

/** Returns the seconds of processor time that a process and its descendants have used. */
const usedBy = (pid: number): number =>
  listFamily(pid)
    .map((one) => {
      // The process name, in parentheses, may contain any character. User and system time are fields 14 and
      // 15, followed by those of terminated children.
      const fields = readText(`/proc/${one}/stat`)
        .replace(/^.*\) /s, '')
        .split(' ');
      return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
    })
    .filter((seconds) => !Number.isNaN(seconds))
    .reduce((sum, seconds) => sum + seconds, 0);

/** Returns the processor seconds that each part has used so far; empty on systems without /proc. */
export const cpuSeconds = (parts: readonly Part[]): ReadonlyMap<string, number> =>
  new Map(existsSync('/proc/self/stat') ? parts.map(({ name, pid }) => [name, usedBy(pid)]) : []);

/** Returns `sum` plus the processor time used from `before` to `after`. */
export const addCpu = (
  sum: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> =>
  new Map(
    [...after].map(([name, seconds]) => [name, (sum.get(name) ?? 0) + seconds - (before.get(name) ?? 0)]),
  );

/** Returns the time that each part spent on one request, without idle parts. `spent`: in seconds. */
export const cpuPerRequest = (spent: ReadonlyMap<string, number>, requests: number): CpuTimes =>
  [...spent]
    .map(([name, seconds]) => [name, (seconds * 1000) / requests] as const)
    .filter(([, ms]) => ms >= 0.005)
    .sort(([, a], [, b]) => b - a);

/** Starts measuring. The returned function stops measuring and takes the number of requests served since then. */
export const startCpu = (parts: readonly Part[]): ((requests: number) => CpuTimes) => {
  const before = cpuSeconds(parts);
  return (requests) => cpuPerRequest(addCpu(new Map(), before, cpuSeconds(parts)), requests);
};

export const sumCpu = (cpu: CpuTimes): number => cpu.reduce((sum, [, ms]) => sum + ms, 0);

export const listCpu = (cpu: CpuTimes): string =>
  cpu.map(([name, ms]) => `${name} ${ms.toFixed(2)}`).join(', ');
