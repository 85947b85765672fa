import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { usualPayers } from './load/load.js';

export interface ChaosCommand {
  readonly seed: number;
  readonly seconds: number;
  /** Three nats-servers instead of one. */
  readonly cluster: boolean;
  /** Clients that pay at once. */
  readonly payers: number;
  /** Bound of each event stream; absent: the sandbox's. */
  readonly streamMegabytes?: number;
  readonly json: boolean;
  /** The folder that keeps data and logs; absent: they are removed. */
  readonly keepIn?: string;
  /** A checkout with the build of another release. */
  readonly otherRelease?: string;
  /** The file to which the counts of the run are appended. */
  readonly appendTo?: string;
}

export const usage = `npm run chaos -- [--seed N] [--seconds N] [--cluster] [--clients N] [--stream-mb N] [--json] [--keep FOLDER]
                 [--append-to FILE] [--other-release FOLDER]
npm run chaos -- --sum FILE
Starts a sandbox of its own with two processes of each service, lets clients pay and read while processes are
killed, frozen, doubled and robbed of their files, hosts vanish, and PostgreSQL is replaced by its standby or by a copy some
seconds old, then checks that nothing was lost, nothing happened twice and no payment was wrongly refused. The same seed
gives the same faults in the same order. --cluster: three NATS servers instead of one, and faults of single nodes.
--clients: so many pay at once; --stream-mb: event streams keep so many megabytes and forget the rest.
--other-release: a built checkout, from which the second processes are started now and then.
--append-to: adds a line with the counts to a file; --sum: adds up the lines of such a file.
Ends by itself: exit code 0 when every invariant holds and no answer took longer than it may.`;

/** The command line does not say something that can be done. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** The file whose runs are to be added up; undefined: a run is wanted. Throws {@link WrongUsage}. */
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
    'other-release': otherRelease,
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
    ...(otherRelease === undefined ? {} : { otherRelease: resolve(otherRelease) }),
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
        'other-release': { type: 'string' },
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
