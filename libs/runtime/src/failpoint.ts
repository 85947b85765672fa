import { readFileSync, rmSync } from 'node:fs';

const wanted = process.env['FAILPOINT'];
const orders = process.env['FAILPOINT_FILE'];

/** Does the file order this place? The order is used up by that, so that the process lives once it is started again. */
const isOrdered = (file: string, name: string): boolean => {
  try {
    if (readFileSync(file, 'utf8') !== name) return false;
    rmSync(file);
    return true;
  } catch {
    // No order, or another process was first.
    return false;
  }
};

/**
 * Ends the process at once, as a power cut would, where `FAILPOINT` names this place, or the file that `FAILPOINT_FILE`
 * names holds its name at that moment (then once). For the fault tests.
 */
export const failpoint = (name: string): void => {
  if (wanted === name || (orders !== undefined && isOrdered(orders, name)))
    process.kill(process.pid, 'SIGKILL');
};
