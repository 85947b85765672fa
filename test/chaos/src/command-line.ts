import { parseArgs } from 'node:util';
import { usualPayers } from './load/load.js';

export interface ChaosCommand {
  readonly seed: number;
  readonly seconds: number;
  /** Three nats-servers instead of one. */
  readonly cluster: boolean;
  /** Number of concurrent paying clients. */
  readonly payers: number;
  /** Size limit of each event stream; absent: the sandbox's default. */
  readonly streamMegabytes?: number;
  readonly json: boolean;
  /** The folder that keeps data and logs; absent: they are removed. */
  readonly keepIn?: string;
  /** From time to time, second processes are started from the next release. */
  readonly twoReleases: boolean;
  /** The file to which the counts of the run are appended. */
  readonly appendTo?: string;
}

/** The command line is invalid. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** The file whose runs are to be added up; undefined: start a run. Throws {@link WrongUsage}. */
export const fileToSum = (words: readonly string[]): string | undefined => parseValues(words).sum;

/** `chosen`: the seed when none is given. Throws {@link WrongUsage}. */
export const chaosCommand = (words: readonly string[], chosen: number): ChaosCommand => {
  const {
    seed = String(chosen),
    seconds = '60',
    cluster = false,
    json = false,
    keep,
    'append-to': appendTo,
    'two-releases': twoReleases = false,
    ...load
  } = parseValues(words);
  const { clients = String(usualPayers), 'stream-mb': megabytes } = load;
  return {
    seed: wholeNumber('seed', seed, 0, 4_294_967_295),
    seconds: wholeNumber('seconds', seconds, 1, 86_400),
    cluster,
    payers: wholeNumber('clients', clients, 1, 1000),
    ...(megabytes === undefined
      ? {}
      : { streamMegabytes: wholeNumber('stream-mb', megabytes, 4, 1_000_000) }),
    json,
    ...(keep === undefined ? {} : { keepIn: keep }),
    twoReleases,
    ...(appendTo === undefined ? {} : { appendTo }),
  };
};

const parseValues = (words: readonly string[]) => {
  try {
    return parseArgs({
      args: [...words],
      options: {
        seed: { type: 'string' },
        seconds: { type: 'string' },
        cluster: { type: 'boolean' },
        clients: { type: 'string' },
        'stream-mb': { type: 'string' },
        json: { type: 'boolean' },
        keep: { type: 'string' },
        'append-to': { type: 'string' },
        'two-releases': { type: 'boolean' },
        sum: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error), { cause: error });
  }
};

const wholeNumber = (name: string, text: string, min: number, max: number): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new WrongUsage(`--${name} is a whole number from ${min} to ${max}`);
  return value;
};
