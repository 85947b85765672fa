import { readFileSync, rmSync } from 'node:fs';

const wanted = process.env['FAILPOINT'];
const orders = process.env['FAILPOINT_FILE'];

/**
 * Returns whether the file requests this failpoint. Consumes the request, so that the process survives after a
 * restart.
 */
const isOrdered = (file: string, name: string): boolean => {
  try {
    if (readFileSync(file, 'utf8') !== name) return false;
    rmSync(file);
    return true;
  } catch {
    // No request, or another process consumed it first.
    return false;
  }
};

/**
 * Kills the process immediately, like a power cut, if `FAILPOINT` names this place, or if the file named by
 * `FAILPOINT_FILE` currently contains its name (then only once). For the fault tests.
 */
export const failpoint = (name: string): void => {
  if (wanted === name || (orders !== undefined && isOrdered(orders, name)))
    process.kill(process.pid, 'SIGKILL');
};
