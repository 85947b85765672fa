import { formatNumber } from '../figure.js';

/** A cost that was measured with few events stored and with many. */
export interface Measured {
  readonly name: string;
  /** The cost of one operation; of one that goes through all events, the cost of each event. The unit is the same for both. */
  readonly few: number;
  readonly many: number;
  /** Linear by nature: it goes through all events once. */
  readonly isLinear: boolean;
  /** The figures behind it, in words. */
  readonly note: string;
  /** It did not do what was measured. */
  readonly problem?: string;
}

/** Events stored when each of the two was measured. */
export interface Sizes {
  readonly few: number;
  readonly many: number;
}

/** The number of events to which the slope is carried. */
const carriedTo = 100_000_000;

export const ratioOf = ({ few, many }: Pick<Measured, 'few' | 'many'>): number => many / few;

/**
 * The ratio at 100 million events if it keeps growing by as much with each tenfold: the depth of an index, and so
 * the cost of one row in it, grows with the logarithm of its rows.
 */
export const carriedRatio = (one: Pick<Measured, 'few' | 'many'>, { few, many }: Sizes): number =>
  1 + ((ratioOf(one) - 1) * Math.log10(carriedTo / few)) / Math.log10(many / few);

/** Hours that something linear takes at 100 million events when an event costs as much as with many; costs in microseconds. */
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
