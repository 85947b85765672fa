import { readFileSync, rmSync } from 'node:fs';

const wanted = process.env['FAILPOINT'];
const orders = process.env['FAILPOINT_FILE'];

/**
 * Returns whether the file requests this failpoint. Also removes the request, so that the restarted process
 * survives when it reaches this place again.
 */
const isOrdered = (file: string, name: string): boolean => {
  try {
    if (readFileSync(file, 'utf8') !== name) return false;
    rmSync(file);
    return true;
  } catch {
    // There is no request, or another process removed it first.
    return false;
  }
};

/**
 * Kills the process immediately, like a power cut, if `FAILPOINT` names this place. Also kills it, but only once,
 * if the file given by `FAILPOINT_FILE` currently contains the name of this place. For the fault tests.
 */
export const failpoint = (name: string): void => {
  if (wanted === name || (orders !== undefined && isOrdered(orders, name)))
    process.kill(process.pid, 'SIGKILL');
};
