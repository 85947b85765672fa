import { join } from 'node:path';
import { listFamily, readText } from './proc.js';

const megabytesIn = (text: string, name: string): number =>
  (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024) / 1e6;

const sumOver = (pid: number, file: string, megabytes: (text: string) => number): number =>
  listFamily(pid).reduce((sum, one) => sum + megabytes(readText(`/proc/${one}/${file}`)), 0);

/**
 * Returns the megabytes that a process and its children have in memory. Shared memory (a library, PostgreSQL's
 * buffers) is divided among the processes that share it (PSS), so that a sum over them counts it once; 0 on
 * systems without /proc.
 */
export const readResident = (pid: number): number =>
  sumOver(pid, 'smaps_rollup', (text) => megabytesIn(text, 'Pss'));

/** Like {@link readResident}, but without shared memory of a fixed size that fills over time: PostgreSQL's buffers. */
export const readKept = (pid: number): number =>
  sumOver(pid, 'smaps_rollup', (text) => megabytesIn(text, 'Pss') - megabytesIn(text, 'Pss_Shmem'));

/** Like {@link readResident}, but counts shared memory in every process that maps it (RSS). */
export const readResidentTwice = (pid: number): number =>
  sumOver(pid, 'status', (text) => megabytesIn(text, 'VmRSS'));

/**
 * Returns the path of the file to which a service writes the number of bytes in its live objects and buffers
 * (collect-on-signal.ts).
 */
export const liveFile = (folder: string, pid: number): string => join(folder, `live-${pid}`);

/** Returns the megabytes of a service's live objects and buffers; 0 for a service that does not report them. */
export const readLive = (folder: string, pid: number): number =>
  Number(readText(liveFile(folder, pid))) / 1e6;
