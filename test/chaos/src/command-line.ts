import { parseArgs } from 'node:util';
import { usualPayers } from './load/load.js';
import { type ChaosProfile, chaosProfiles } from './load/payment-forms.js';

export interface ChaosCommand {
  readonly seed: number;
  readonly seconds: number;
  /** Whether the run uses three nats-servers, not one. */
  readonly cluster: boolean;
  /** The rules of the bank. */
  readonly profile: ChaosProfile;
  /** The number of concurrent paying clients. */
  readonly payers: number;
  /** The size limit of each event stream. If absent, the sandbox's default applies. */
  readonly streamMegabytes?: number;
  readonly json: boolean;
  /** The folder in which data and logs are kept. If absent, they are removed. */
  readonly keepIn?: string;
  /** Whether some second processes are started from the next release during the run. */
  readonly twoReleases: boolean;
  /** The file to which the run's counts are appended. */
  readonly appendTo?: string;
}

/** Thrown when the command line is invalid. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** Returns the file whose runs are to be added up, or undefined to start a run. Throws {@link WrongUsage}. */
export const fileToSum = (words: readonly string[]): string | undefined => parseValues(words).sum;

/** Parses the options of a run. `chosen`: the seed to use if none is given. Throws {@link WrongUsage}. */
export const chaosCommand = (words: readonly string[], chosen: number): ChaosCommand => {
  const {
    seed = String(chosen),
    seconds = '60',
    cluster = false,
    profile = 'sandbox',
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
    profile: findProfile(profile),
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
        profile: { type: 'string' },
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

const findProfile = (name: string): ChaosProfile => {
  const found = chaosProfiles.find((profile) => profile === name);
  if (found === undefined) throw new WrongUsage(`--profile must be one of ${chaosProfiles.join(', ')}`);
  return found;
};

const wholeNumber = (name: string, text: string, min: number, max: number): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new WrongUsage(`--${name} must be a whole number from ${min} to ${max}`);
  return value;
};
