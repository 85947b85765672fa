import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** The process and all that it started, and those started. */
const familyOf = (pid: number): number[] => [
  pid,
  ...textOf(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter(Boolean)
    .flatMap((child) => familyOf(Number(child))),
];

const megabytesIn = (text: string, name: string): number =>
  (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024) / 1e6;

/**
 * Megabytes that a process and its children have in memory. What they share (a library, PostgreSQL's buffers) is
 * divided among those that share it (PSS), so that a sum counts it once; 0 where there is no /proc.
 */
export const residentOf = (pid: number): number =>
  familyOf(pid).reduce((sum, one) => sum + megabytesIn(textOf(`/proc/${one}/smaps_rollup`), 'Pss'), 0);

/** {@link residentOf} without shared memory of a fixed size that fills in the course of time: PostgreSQL's buffers. */
export const keptBy = (pid: number): number =>
  familyOf(pid).reduce((sum, one) => {
    const text = textOf(`/proc/${one}/smaps_rollup`);
    return sum + megabytesIn(text, 'Pss') - megabytesIn(text, 'Pss_Shmem');
  }, 0);

/** {@link residentOf} with shared memory counted in every process that has it (RSS). */
export const residentCountedTwice = (pid: number): number =>
  familyOf(pid).reduce((sum, one) => sum + megabytesIn(textOf(`/proc/${one}/status`), 'VmRSS'), 0);

/** Where a service tells the bytes of its live objects and buffers (collect-on-signal.ts). */
export const liveFile = (folder: string, pid: number): string => join(folder, `live-${pid}`);

/** Megabytes of a service's live objects and buffers; 0 for what tells none. */
export const liveIn = (folder: string, pid: number): number => Number(textOf(liveFile(folder, pid))) / 1e6;
