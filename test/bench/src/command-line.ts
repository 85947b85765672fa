import { parseArgs } from 'node:util';
import type { RowSettings } from './row.js';
import { type Column, columns } from './world/bench-world.js';

export interface BenchOptions extends RowSettings {
  readonly columns: readonly Column[];
  /** Row names. If empty, all rows of the columns are measured. */
  readonly rows: readonly string[];
  readonly json: boolean;
}

/** Thrown when the command line is invalid. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

const maxSize = 10_000_000;

/** Throws {@link WrongUsage}. */
export const benchOptions = (words: readonly string[]): BenchOptions => {
  const values = parseValues(words);
  const size = (name: 'events' | 'payments' | 'requests'): number | undefined =>
    values[name] === undefined ? undefined : wholeNumber(name, values[name], maxSize);
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
    keepIn: values.keep,
    profileInto: values['cpu-profile'],
    events: size('events'),
    payments: size('payments'),
    requests: size('requests'),
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
    throw new WrongUsage(`--${name} must be a whole number from 1 to ${max}`);
  return number;
};
