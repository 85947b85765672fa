import { parseArgs } from 'node:util';
import { type Column, columns } from './world/bench-world.js';

export interface BenchOptions {
  /** Measured time of each row, after its warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly columns: readonly Column[];
  /** Names of rows; empty: all rows of the columns. */
  readonly rows: readonly string[];
  readonly json: boolean;
  /** The folder in which every service leaves a CPU profile when it ends; absent: none. */
  readonly profileInto?: string;
  /** The number of events, payments or requests of the figures; absent: the default of each. */
  readonly events?: number;
  readonly payments?: number;
  readonly requests?: number;
  /** The folder in which the row `history` keeps its services with their loaded data for later runs; absent: it keeps nothing. */
  readonly keepIn?: string;
  /** The row `history` only loads its events. */
  readonly onlyLoad: boolean;
}

/** The command line is invalid. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

const sizes = ['events', 'payments', 'requests'] as const;
const maxSize = 10_000_000;

/** Throws {@link WrongUsage}. */
export const benchOptions = (words: readonly string[]): BenchOptions => {
  const values = parseValues(words);
  const given = sizes.flatMap((name) => {
    const text = values[name];
    return text === undefined ? [] : [[name, wholeNumber(name, text, maxSize)] as const];
  });
  if (values['only-load'] && values.keep === undefined)
    throw new WrongUsage('--only-load leaves nothing behind without --keep');
  const wanted = columns.filter((column) => values[column]);
  return {
    seconds: wholeNumber('seconds', values.seconds, 600),
    warmUpSeconds: wholeNumber('warm-up', values['warm-up'], 600),
    columns: wanted.length === 0 ? ['sandbox'] : wanted,
    rows: values.row,
    json: values.json,
    onlyLoad: values['only-load'],
    ...(values.keep === undefined ? {} : { keepIn: values.keep }),
    ...(values['cpu-profile'] === undefined ? {} : { profileInto: values['cpu-profile'] }),
    ...Object.fromEntries(given),
  };
};

const parseValues = (words: readonly string[]) => {
  try {
    return parseArgs({
      args: [...words],
      options: {
        seconds: { type: 'string', default: '10' },
        'warm-up': { type: 'string', default: '20' },
        sandbox: { type: 'boolean', default: false },
        production: { type: 'boolean', default: false },
        row: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
        'cpu-profile': { type: 'string' },
        events: { type: 'string' },
        payments: { type: 'string' },
        requests: { type: 'string' },
        keep: { type: 'string' },
        'only-load': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error), { cause: error });
  }
};

const wholeNumber = (name: string, text: string, max: number): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > max)
    throw new WrongUsage(`--${name} is a whole number from 1 to ${max}`);
  return number;
};
