import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** A process of the bench, as it describes itself once it is ready. */
export interface Forked {
  readonly child: ChildProcess;
  readonly pid: number;
  /** On 127.0.0.1; 0 if it does not listen. */
  readonly port: number;
}

/** Starts a built file of the bench, which ends with this process. `file` is relative to dist. */
export const startForked = async (
  file: string,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Forked> => {
  const child = fork(join(import.meta.dirname, '..', file), args, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    execArgv: [],
  });
  const { port = 0 } = await new Promise<{ readonly port?: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { readonly port?: number }));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code} before it was ready`)));
  });
  return { child, pid: child.pid ?? 0, port };
};
