import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** A benchmark process, as described by the message that it sends when it is ready. */
export interface Forked {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The port on 127.0.0.1; 0 if the process does not listen. */
  readonly port: number;
}

/** Starts a compiled benchmark file as a process that exits with this one. `file` is relative to dist. */
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
    child.once('exit', (code) => reject(new Error(`${file} exited with ${code} before it was ready`)));
  });
  return { child, pid: child.pid ?? 0, port };
};
