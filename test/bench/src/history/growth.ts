import { formatNumber } from '../row.js';
import type { Pair } from './pair.js';

/**
 * A cost measured with few and with many stored events: the cost of one operation or, if the operation reads all
 * events, its cost per event in microseconds.
 */
export interface Growth extends Pair<number> {
  readonly name: string;
  /** Whether the operation is linear by nature because it reads all events once. */
  readonly isLinear?: boolean;
  /** The underlying figures, as a sentence. */
  readonly note: string;
  /** Why the measurement is invalid; set if the work to be measured was not done. */
  readonly problem?: string | undefined;
}

/** The number of events to which the growth is extrapolated. */
const carriedTo = 100_000_000;

export const ratioOf = ({ few, many }: Pair<number>): number => many / few;

/**
 * Returns the ratio at 100 million events, assuming that each factor of ten adds the same amount: the depth of an
 * index, and so the cost of one row in it, grows with the logarithm of the number of rows. `sizes`: the numbers of
 * stored events.
 */
export const carriedRatio = (cost: Pair<number>, { few, many }: Pair<number>): number =>
  1 + ((ratioOf(cost) - 1) * Math.log10(carriedTo / few)) / Math.log10(many / few);

/**
 * Returns the hours that a linear operation takes at 100 million events, at the cost per event of the larger
 * measurement.
 */
const carriedHours = ({ many }: Pair<number>): number => (many * carriedTo) / 3.6e9;

/** Returns a sentence with the ratio and its extrapolation to 100 million events. */
export const describeGrowth = (one: Growth, sizes: Pair<number>): string => {
  const { name, isLinear = false, note } = one;
  const growth = ratioOf(one) > 1 ? formatNumber('×', carriedRatio(one, sizes)) : 'no more';
  const carried = isLinear
    ? `${carriedHours(one).toFixed(1)} h for 100 million events`
    : `at 100 million events ${growth}`;
  return `${name}: ${formatNumber('×', ratioOf(one))}${isLinear ? ' an event' : ''}; ${carried} (${note})`;
};
