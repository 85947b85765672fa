import { readCommand } from '@xs2a/local-servers/child';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readJson } from '../layout.js';

interface Holder {
  readonly pid: number;
  readonly command: string;
}

/** Thrown when another sandbox is already running on the same data. */
export class DataInUse extends Error {
  override readonly name = 'DataInUse';

  constructor(
    readonly dataDir: string,
    readonly pid: number,
  ) {
    super(`A sandbox already runs on ${dataDir} (process ${pid}). Stop it first: kill ${pid}`);
  }
}

/**
 * Returns the pid of the process that holds the lock; undefined if that process has exited, even if another
 * program now has its pid.
 */
export const readHolder = (lockFile: string): number | undefined => {
  const holder = readJson<Holder>(lockFile);
  return holder !== undefined && readCommand(holder.pid) === holder.command ? holder.pid : undefined;
};

/**
 * Locks the data folder for this process. Returns a function that releases the lock. Throws {@link DataInUse} if
 * another sandbox holds the lock.
 */
export const takeLock = (lockFile: string): (() => void) => {
  const dataDir = dirname(lockFile);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const pid = readHolder(lockFile);
  if (pid !== undefined) throw new DataInUse(dataDir, pid);
  rmSync(lockFile, { force: true });
  const holder: Holder = { pid: process.pid, command: readCommand(process.pid) ?? '' };
  try {
    writeFileSync(lockFile, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  } catch {
    throw new DataInUse(dataDir, readHolder(lockFile) ?? 0);
  }
  return () => rmSync(lockFile, { force: true });
};
