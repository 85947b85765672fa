import { readCommand } from '@xs2a/local-servers/child';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../layout.js';

/** A runner started as `npm start` starts it, on a separate data folder. */
export class Runner {
  output = '';
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(dataDir: string, ...args: readonly string[]) {
    this.child = spawn(process.execPath, [join(root, 'tools/sandbox/dist/main.js'), ...args], {
      env: { ...process.env, NODE_OPTIONS: '', XS2A_DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (data: Buffer) => (this.output += data.toString()));
    }
    this.exited = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)));
  }

  async ready(): Promise<void> {
    const ended = this.exited.then(() => 'ended');
    while (!this.output.includes('Ready after')) {
      if ((await Promise.race([ended, wait(50)])) === 'ended') throw new Error(this.output);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

/** Returns those of the processes that are still running after ten seconds. */
export const listRunning = async (pids: readonly number[]): Promise<number[]> => {
  for (let tries = 0; tries < 200 && pids.some((pid) => readCommand(pid) !== undefined); tries += 1)
    await wait(50);
  return pids.filter((pid) => readCommand(pid) !== undefined);
};
