import { readCommand } from '@xs2a/local-servers/child';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../layout.js';

/**
 * Terminates processes of an earlier run that outlived their runner, and waits until they have ended. A pid that
 * now belongs to another program is left alone.
 */
export const endLeftovers = async (pids: readonly number[], dataDir: string): Promise<void> => {
  const isOurs = (pid: number): boolean => {
    const command = readCommand(pid) ?? '';
    return [join(root, 'apps/'), join(root, 'examples/'), dataDir].some((path) => command.includes(path));
  };
  const left = pids.filter(isOurs);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  for (let tries = 0; tries < 100 && left.some(isOurs); tries += 1) await wait(20);
};
