import { freePort } from '@xs2a/local-servers/free-port';
import { root } from '@xs2a/sandbox/layout';
import { youngGeneration } from '@xs2a/sandbox/processes/allocator';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readResident, readResidentTwice } from '../load/memory.js';
import type { FigureRow } from '../row.js';

const readyLine = /Ready after [\d.]+ s\./;
const maxMs = 120_000;

interface Runner {
  readonly pid: number;
  /** The seconds from the start of the process until it reports that everything is ready. */
  readonly seconds: number;
}

/**
 * Starts the process that `npm start` starts after installation and build, on data in `folder`, and stops it after
 * the work.
 */
const withRunner = async <Result>(folder: string, work: (runner: Runner) => Result): Promise<Result> => {
  const begun = performance.now();
  const port = String(await freePort());
  const main = join(root, 'tools/sandbox/dist/main.js');
  const child = spawn(process.execPath, [youngGeneration, main, '--port', port], {
    // The sandbox exits with its launcher, which is this process.
    env: { ...process.env, XS2A_DATA_DIR: join(folder, 'sandbox'), XS2A_LAUNCHER: String(process.pid) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let said = '';
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(new Error(`the sandbox did not start within two minutes:\n${said}`));
      setTimeout(fail, maxMs).unref();
      child.once('exit', fail);
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (readyLine.test(said)) resolve();
      });
    });
    return work({ pid: child.pid ?? 0, seconds: (performance.now() - begun) / 1000 });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
};

export const startRows: readonly FigureRow[] = [
  {
    name: 'start-warm',
    title: 'second start on its data, until ready',
    targets: { sandbox: { atMost: 5, unit: 's' } },
    measure: async ({ folder }) => {
      const cold = await withRunner(folder, ({ seconds }) => seconds);
      const warm = await withRunner(folder, ({ seconds }) => seconds);
      const note = `the first start, on an empty folder, took ${cold.toFixed(1)} s, not counting the check that everything is installed and built`;
      return { value: warm, notes: [note] };
    },
  },
  {
    name: 'rss',
    title: 'memory of the whole sandbox',
    targets: { sandbox: { atMost: 0.9, unit: 'GB' } },
    measure: async ({ folder }) =>
      withRunner(folder, ({ pid }) => ({
        value: readResident(pid) / 1000,
        notes: [
          `runner, services, PostgreSQL with its sessions, and nats-server right after the start; shared memory counted once (PSS). Counted in each process that has it (RSS): ${(readResidentTwice(pid) / 1000).toFixed(2)} GB`,
        ],
      })),
  },
];
