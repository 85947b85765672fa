import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** How long each row is measured, after its warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Names of rows; empty: all. */
  readonly rows: readonly string[];
  readonly json: boolean;
  /** Where every service leaves a CPU profile when it ends; absent: none. */
  readonly profileInto?: string;
}

export const usage = `npm run bench -- [--seconds N] [--warm-up N] [--row NAME]… [--json] [--cpu-profile FOLDER]
Measures the bare hop and, in the same run, what the service answers. Ends by itself; uses the loopback only.`;

/** The command line does not say something that can be done. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** Throws {@link WrongUsage}. */
export const benchOptions = (words: readonly string[]): BenchOptions => {
  const values = valuesOf(words);
  return {
    seconds: secondsOf('seconds', values.seconds),
    warmUpSeconds: secondsOf('warm-up', values['warm-up']),
    rows: values.row,
    json: values.json,
    ...(values['cpu-profile'] === undefined ? {} : { profileInto: values['cpu-profile'] }),
  };
};

const valuesOf = (words: readonly string[]) => {
  try {
    return parseArgs({
      args: [...words],
      options: {
        seconds: { type: 'string', default: '8' },
        'warm-up': { type: 'string', default: '4' },
        row: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
        'cpu-profile': { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error), { cause: error });
  }
};

const secondsOf = (name: string, text: string): number => {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 600)
    throw new WrongUsage(`--${name} is a whole number of seconds from 1 to 600`);
  return seconds;
};
