import { root } from '@xs2a/sandbox/layout';
import { freePort } from '@xs2a/local-servers/free-port';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { FigureOptions, FigureRow, Found } from '../figure.js';
import { residentCountedTwice, readResidentBytes } from '../load/memory.js';

const readyLine = /Ready after [\d.]+ s\./;
const maxMs = 120_000;

interface Runner {
  readonly child: ChildProcess;
  readonly pid: number;
  /** From the start of the process until it reports that everything is ready. */
  readonly seconds: number;
  stop(): Promise<void>;
}

/** Starts the process that `npm start` runs after installation and build, on data in `folder`. */
const startRunner = async (folder: string): Promise<Runner> => {
  const begun = performance.now();
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'tools/sandbox/dist/main.js'), '--port', String(port)], {
    // It ends with its launcher, which is this process.
    env: { ...process.env, XS2A_DATA_DIR: join(folder, 'sandbox'), XS2A_LAUNCHER: String(process.pid) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    await ready(child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { child, pid: child.pid ?? 0, seconds: (performance.now() - begun) / 1000, stop };
};

const ready = async ({ stdout }: ChildProcess & { stdout: NodeJS.ReadableStream | null }): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`not ready after two minutes:\n${said}`)), maxMs);
    stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (!readyLine.test(said)) return;
      clearTimeout(timer);
      resolve();
    });
    stdout?.once('end', () => reject(new Error(`the sandbox did not start:\n${said}`)));
  });

const startWarm = async ({ folder }: FigureOptions): Promise<Found> => {
  const cold = await startRunner(folder);
  await cold.stop();
  const warm = await startRunner(folder);
  await warm.stop();
  return {
    value: warm.seconds,
    ratio: warm.seconds / cold.seconds,
    notes: [
      `the first start, on an empty folder, took ${cold.seconds.toFixed(1)} s; looking whether everything is installed and built is not in it`,
    ],
  };
};

const rss = async ({ folder }: FigureOptions): Promise<Found> => {
  const runner = await startRunner(folder);
  try {
    const counted = residentCountedTwice(runner.pid);
    return {
      value: readResidentBytes(runner.pid) / 1000,
      notes: [
        `runner, services, PostgreSQL with its sessions, and nats-server right after the start; shared memory counted once (PSS). Counted in each process that has it (RSS): ${(counted / 1000).toFixed(2)} GB`,
      ],
    };
  } finally {
    await runner.stop();
  }
};

export const startRows: readonly FigureRow[] = [
  {
    name: 'start-warm',
    title: 'second start on its data, until ready',
    targets: { sandbox: { atMost: 10, unit: 's' } },
    measure: startWarm,
  },
  {
    name: 'rss',
    title: 'memory of the whole sandbox',
    targets: { sandbox: { atMost: 1, unit: 'GB' } },
    measure: rss,
  },
];
