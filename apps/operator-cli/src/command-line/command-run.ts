import type { Command } from 'commander';
import { Connections } from '../connections.js';
import { Output } from './output.js';

/** The parts that a command works with. */
export interface Setting<Options> {
  readonly connections: Connections;
  readonly output: Output;
  readonly options: Options;
  /** A signal for work that has to end in order at Ctrl-C; a command that does not ask for it ends at once. */
  interrupted(): AbortSignal;
}

/** The launcher passes Ctrl-C on, so two may arrive together; only a later one ends the command at once. */
const repeatedMs = 1000;
const untilInterrupted = (): AbortSignal => {
  const stopping = new AbortController();
  let first: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      first ??= performance.now();
      if (performance.now() - first > repeatedMs) process.exit(130);
      stopping.abort();
    });
  }
  return stopping.signal;
};

/** Runs a command that needs nothing of a running system. Returns its exit code. */
export const alone =
  <Options, Args extends readonly string[] = []>(
    work: (options: Options, output: Output, ...args: Args) => Promise<number>,
  ) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<Options & { readonly json?: boolean }>();
    const output = new Output(options.json === true);
    process.exitCode = await work(options, output, ...(command.args as unknown as Args));
  };

/** Runs a command with its connections, and always closes them. Returns its exit code. */
export const within =
  <Options, Args extends readonly string[]>(
    work: (setting: Setting<Options>, ...args: Args) => Promise<number | void>,
  ) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<Options & { readonly json?: boolean }>();
    const connections = Connections.find();
    try {
      const output = new Output(options.json === true);
      const setting = { connections, output, options, interrupted: untilInterrupted };
      const code = await work(setting, ...(command.args as unknown as Args));
      process.exitCode = code ?? 0;
    } finally {
      await connections.close();
    }
  };
