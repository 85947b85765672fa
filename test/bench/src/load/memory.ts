import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** The process and all its descendants. */
const listFamily = (pid: number): number[] => [
  pid,
  ...readText(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter(Boolean)
    .flatMap((child) => listFamily(Number(child))),
];

const megabytesIn = (text: string, name: string): number =>
  (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024) / 1e6;

/**
 * Megabytes that a process and its children have in memory. Shared memory (a library, PostgreSQL's buffers) is
 * divided among the processes that share it (PSS), so that a sum counts it once; 0 where there is no /proc.
 */
export const readResidentBytes = (pid: number): number =>
  listFamily(pid).reduce((sum, one) => sum + megabytesIn(readText(`/proc/${one}/smaps_rollup`), 'Pss'), 0);

/** {@link readResidentBytes} without shared memory of a fixed size that fills over time: PostgreSQL's buffers. */
export const keptBy = (pid: number): number =>
  listFamily(pid).reduce((sum, one) => {
    const text = readText(`/proc/${one}/smaps_rollup`);
    return sum + megabytesIn(text, 'Pss') - megabytesIn(text, 'Pss_Shmem');
  }, 0);

/** {@link readResidentBytes} with shared memory counted in every process that has it (RSS). */
export const residentCountedTwice = (pid: number): number =>
  listFamily(pid).reduce((sum, one) => sum + megabytesIn(readText(`/proc/${one}/status`), 'VmRSS'), 0);

/** The file in which a service writes the bytes of its live objects and buffers (collect-on-signal.ts). */
export const liveFile = (folder: string, pid: number): string => join(folder, `live-${pid}`);

/** Megabytes of a service's live objects and buffers; 0 for a service that reports none. */
export const liveIn = (folder: string, pid: number): number => Number(readText(liveFile(folder, pid))) / 1e6;
