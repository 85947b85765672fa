import { commandOf } from '@xs2a/local-servers/child';
import { join } from 'node:path';
import { root } from './layout.js';

/** Ends processes of an earlier run that outlived their runner; a pid that meanwhile belongs to another program is left alone. */
export const endLeftovers = (pids: readonly number[], dataDir: string): void => {
  for (const pid of pids) {
    const command = commandOf(pid) ?? '';
    if (command.includes(join(root, 'apps/')) || command.includes(dataDir)) process.kill(pid, 'SIGKILL');
  }
};
