import { formatNumber } from '../figure.js';

/** A cost measured with few and with many stored events. */
export interface Measured {
  readonly name: string;
  /** The cost of one operation; if it reads all events, the cost per event. Both have the same unit. */
  readonly few: number;
  readonly many: number;
  /** Linear by nature: it reads all events once. */
  readonly isLinear: boolean;
  /** The underlying figures, as a sentence. */
  readonly note: string;
  /** The measured work was not done. */
  readonly problem?: string;
}

/** Number of stored events in each of the two measurements. */
export interface Sizes {
  readonly few: number;
  readonly many: number;
}

/** The number of events to which the slope is extrapolated. */
const carriedTo = 100_000_000;

export const ratioOf = ({ few, many }: Pick<Measured, 'few' | 'many'>): number => many / few;

/**
 * The ratio at 100 million events if each factor of ten adds the same amount: the depth of an index, and so
 * the cost of one row in it, grows with the logarithm of its rows.
 */
export const carriedRatio = (one: Pick<Measured, 'few' | 'many'>, { few, many }: Sizes): number =>
  1 + ((ratioOf(one) - 1) * Math.log10(carriedTo / few)) / Math.log10(many / few);

/** Hours of a linear operation at 100 million events, at the cost per event of the larger measurement; costs in microseconds. */
const carriedHours = ({ many }: Pick<Measured, 'many'>): number => (many * carriedTo) / 3.6e9;

/** A sentence: the ratio, and what the slope means at 100 million events. */
export const describeGrowth = (one: Measured, sizes: Sizes): string => {
  const { name, isLinear, note } = one;
  const growth = ratioOf(one) > 1 ? formatNumber('×', carriedRatio(one, sizes)) : 'no more';
  const carried = isLinear
    ? `${carriedHours(one).toFixed(1)} h for 100 million events`
    : `at 100 million events ${growth}`;
  return `${name}: ${formatNumber('×', ratioOf(one))}${isLinear ? ' an event' : ''}; ${carried} (${note})`;
};
