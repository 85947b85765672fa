import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuPerRequest, cpuSeconds, type Part } from './cpu-time.js';
import type { LoadPlan, LoadResult } from './load-plan.js';

export interface Measured extends LoadResult {
  /** Milliseconds of processor time per request, by part; empty where the system does not tell. */
  readonly cpu: readonly (readonly [name: string, ms: number])[];
}

/** Carries out a plan, and looks what the processes that answer it spent on it. */
export const measure = async (plan: LoadPlan, parts: readonly Part[]): Promise<Measured> => {
  const before = cpuSeconds(parts);
  const result = await generateLoad(plan);
  return { ...result, cpu: cpuPerRequest(before, cpuSeconds(parts), result.sent) };
};

/** Carries out a plan in a process of its own. Fails when that process does, or takes far longer than planned. */
const generateLoad = async (plan: LoadPlan): Promise<LoadResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-load-'));
  const file = join(folder, 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  const child = fork(join(import.meta.dirname, 'load.js'), [file], { execArgv: [] });
  const timer = setTimeout(() => child.kill('SIGKILL'), (plan.warmUpSeconds + plan.seconds + 20) * 1000);
  try {
    return await new Promise<LoadResult>((resolve, reject) => {
      child.once('message', (message) => resolve(message as LoadResult));
      child.once('exit', (code, signal) =>
        reject(new Error(`the load generator ended with ${signal ?? code}`)),
      );
    });
  } finally {
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  }
};
