import { formatNumber } from '../row.js';
import type { Pair } from './pair.js';

/**
 * A cost measured with few and with many stored events: that of one operation or, if it reads all events, the cost per event in
 * microseconds.
 */
export interface Growth extends Pair<number> {
  readonly name: string;
  /** Whether the operation is linear by nature because it reads all events once. */
  readonly isLinear?: boolean;
  /** The underlying figures, as a sentence. */
  readonly note: string;
  /** Set if the work to be measured was not done. */
  readonly problem?: string | undefined;
}

/** The number of events to which the slope is extrapolated. */
const carriedTo = 100_000_000;

export const ratioOf = ({ few, many }: Pair<number>): number => many / few;

/**
 * The ratio at 100 million events if each factor of ten adds the same amount: the depth of an index, and so
 * the cost of one row in it, grows with the logarithm of its rows. `sizes`: the stored events.
 */
export const carriedRatio = (cost: Pair<number>, { few, many }: Pair<number>): number =>
  1 + ((ratioOf(cost) - 1) * Math.log10(carriedTo / few)) / Math.log10(many / few);

/** Hours of a linear operation at 100 million events, at the cost per event of the larger measurement. */
const carriedHours = ({ many }: Pair<number>): number => (many * carriedTo) / 3.6e9;

/** A sentence with the ratio and what the slope means at 100 million events. */
export const describeGrowth = (one: Growth, sizes: Pair<number>): string => {
  const { name, isLinear = false, note } = one;
  const growth = ratioOf(one) > 1 ? formatNumber('×', carriedRatio(one, sizes)) : 'no more';
  const carried = isLinear
    ? `${carriedHours(one).toFixed(1)} h for 100 million events`
    : `at 100 million events ${growth}`;
  return `${name}: ${formatNumber('×', ratioOf(one))}${isLinear ? ' an event' : ''}; ${carried} (${note})`;
};
