import { Command, type HelpContext } from 'commander';
import { Connections } from '../connections.js';
import type { Declared } from './options.js';
import { Output } from './output.js';
import { xs2a } from './own-name.js';

/** The environment in which a command runs. */
interface Setting<Options> {
  readonly connections: Connections;
  readonly options: Options;
  readonly output: Output;
  /**
   * Returns a signal for work that must end cleanly on Ctrl-C. A command that does not call this function ends
   * immediately on Ctrl-C.
   */
  interrupted(): AbortSignal;
}

interface Definition<Options, Result> {
  readonly name: string;
  readonly help: string;
  /** The options and arguments, in the order in which the help lists them. */
  readonly options?: { readonly [Name in keyof Options]: Declared<Options[Name]> };
  /** True if the command works without a running system, and therefore without DATABASE_URL and NATS_URL. */
  readonly isLocal?: boolean;
  /** Returns one result, or yields several, each of which is shown as soon as it arrives. */
  run(setting: Setting<Options>): Promise<Result> | AsyncIterable<Result>;
  /** Formats a result as text for a reader. A command without this function shows its results itself. */
  text?(result: Result, options: NoInfer<Options>): string;
  /** Converts a result for `--json`; without this function, the result is shown unchanged. */
  json?(result: Result): unknown;
  /** Returns true if the command should exit with code 1 because of this result. */
  failed?(result: Result, options: NoInfer<Options>): boolean;
}

/**
 * The launcher forwards Ctrl-C, so the signal may arrive twice within this many milliseconds. Only a later signal
 * ends the command immediately.
 */
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

/** Yields the results of a command, whether there is one or several. */
async function* resultsOf<Result>(
  results: Promise<Result> | AsyncIterable<Result>,
): AsyncGenerator<Awaited<Result>> {
  if (Symbol.asyncIterator in results) yield* results as AsyncIterable<Awaited<Result>>;
  else yield await results;
}

/**
 * Declares a command. The command gets connections, which are closed when it ends. It exits with code 0, or with
 * code 1 if `failed` returns true for a result.
 */
export const defineCommand = <Options, Result>({
  name,
  help,
  options: declared,
  isLocal = false,
  run,
  text,
  json = (result) => result,
  failed = () => false,
}: Definition<Options, Result>): Command => {
  const command = new Command(name).description(help);
  const readers = Object.entries<Declared<unknown>>(declared ?? {}).map(
    ([option, { addTo }]) => [option, addTo(command, option)] as const,
  );
  return command.action(async () => {
    const options = Object.fromEntries(readers.map(([option, read]) => [option, read()])) as Options;
    const output = new Output(command.optsWithGlobals<{ readonly json?: boolean }>().json === true);
    let found = isLocal ? undefined : Connections.find();
    const setting: Setting<Options> = {
      get connections() {
        return (found ??= Connections.find());
      },
      options,
      output,
      interrupted: untilInterrupted,
    };
    try {
      let exitCode = 0;
      for await (const result of resultsOf(run(setting))) {
        if (text !== undefined) output.show(json(result), text(result, options));
        if (failed(result, options)) exitCode = 1;
      }
      process.exitCode = exitCode;
    } finally {
      output.progressEnds();
      await found?.close();
    }
  });
};

/**
 * A command that only groups subcommands. Without a subcommand, or with an unknown one, it fails and refers to the
 * help.
 */
class CommandGroup extends Command {
  /** Without this override, Commander would show the help instead of an error. */
  override help(context?: HelpContext | ((text: string) => string)): never {
    if (typeof context === 'function') return super.help(context);
    if (context?.error !== true) return super.help(context);
    const names = this.commands.map((command) => command.name());
    return this.error(`error: missing command: ${names.join(', ')}`);
  }
}

export const group = (name: string, help: string, commands: readonly Command[]): Command => {
  const made = new CommandGroup(name).description(help);
  for (const command of commands) made.addCommand(command);
  return made;
};

/** Converts Commander's usage error to a sentence that refers to the command's help. */
const usageSentence = (said: string, path: string): string => {
  const text = said
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. Run: ${xs2a(`${path} --help`.trim())}`;
};

/**
 * Adds what every command has in common to this command and all its subcommands: `--json` in the help, and usage
 * errors in one sentence.
 */
export const everywhere = (command: Command, path = ''): Command => {
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      outputError: (said, write) => {
        const error = usageSentence(said, path);
        write(`${process.argv.includes('--json') ? JSON.stringify({ error }) : error}\n`);
      },
    });
  for (const one of command.commands) everywhere(one, `${path} ${one.name()}`.trim());
  return command;
};
