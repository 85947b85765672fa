import { startNats } from '@xs2a/local-servers/nats-server';
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Part } from './cpu-time.js';

/** The baseline: HTTP → NATS request/reply → echo, with servers and processes of its own. */
export interface BareHop {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly parts: readonly Part[];
  stop(): Promise<void>;
}

interface Ready {
  readonly ready: true;
  readonly port?: number;
}

/** Starts it with its data in `folder`. */
export const startBareHop = async (folder: string): Promise<BareHop> => {
  const nats = await startNats({ dataDir: join(folder, 'bare-hop-nats') });
  const children: ChildProcess[] = [];
  const start = async (file: string): Promise<Ready> => {
    const child = fork(join(import.meta.dirname, file), {
      env: { ...process.env, NATS_URL: nats.url, NODE_ENV: 'production' },
      execArgv: [],
    });
    children.push(child);
    return readiness(child, file);
  };
  const stop = async (): Promise<void> => {
    for (const child of children) child.kill();
    await nats.stop();
  };
  try {
    await start('bare-hop-echo.js');
    const { port = 0 } = await start('bare-hop-door.js');
    const parts = [
      ...children.map(({ pid = 0 }, index) => ({ name: index === 0 ? 'echo' : 'door', pid })),
      { name: 'nats', pid: nats.pid },
    ];
    return { port, parts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const readiness = async (child: ChildProcess, file: string): Promise<Ready> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Ready));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code} before it was ready`)));
  });
