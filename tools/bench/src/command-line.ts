import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** How long each row is measured, after its warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Names of rows; empty: all that are not long. */
  readonly rows: readonly string[];
  /** The long rows too. */
  readonly all: boolean;
  readonly json: boolean;
  /** Where every service leaves a CPU profile when it ends; absent: none. */
  readonly profileInto?: string;
  /** How many events, payments or requests the long rows take; absent: what each takes by itself. */
  readonly events?: number;
  readonly payments?: number;
  readonly requests?: number;
}

export const usage = `npm run bench -- [--seconds N] [--warm-up N] [--row NAME]… [--all] [--json] [--cpu-profile FOLDER]
  [--events N] [--payments N] [--requests N]
Measures in turns the bare hop and what the service does. Ends by itself; uses the loopback only. Long rows run
when they are named, or with --all; --events, --payments and --requests set how much they take.`;

/** The command line does not say something that can be done. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

const sizes = ['events', 'payments', 'requests'] as const;
const maxSize = 10_000_000;

/** Throws {@link WrongUsage}. */
export const benchOptions = (words: readonly string[]): BenchOptions => {
  const values = valuesOf(words);
  const given = sizes.flatMap((name) => {
    const text = values[name];
    return text === undefined ? [] : [[name, wholeNumber(name, text, maxSize)] as const];
  });
  return {
    seconds: wholeNumber('seconds', values.seconds, 600),
    warmUpSeconds: wholeNumber('warm-up', values['warm-up'], 600),
    rows: values.row,
    all: values.all,
    json: values.json,
    ...(values['cpu-profile'] === undefined ? {} : { profileInto: values['cpu-profile'] }),
    ...Object.fromEntries(given),
  };
};

const valuesOf = (words: readonly string[]) => {
  try {
    return parseArgs({
      args: [...words],
      options: {
        seconds: { type: 'string', default: '10' },
        'warm-up': { type: 'string', default: '20' },
        row: { type: 'string', multiple: true, default: [] },
        all: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        'cpu-profile': { type: 'string' },
        events: { type: 'string' },
        payments: { type: 'string' },
        requests: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error), { cause: error });
  }
};

const wholeNumber = (name: string, text: string, most: number): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new WrongUsage(`--${name} is a whole number from 1 to ${most}`);
  return number;
};
