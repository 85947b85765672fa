import type { HistoryWorld } from './history-world.js';

/** One value each for the service with few stored events and the service with many. */
export interface Pair<Value> {
  readonly few: Value;
  readonly many: Value;
}
export type Worlds = Pair<HistoryWorld>;

export const mapPair = <Value, Result>(
  { few, many }: Pair<Value>,
  work: (value: Value) => Result,
): Pair<Result> => ({ few: work(few), many: work(many) });

/** Does the work the given number of times with each service, in turns. */
export const inRounds = async <Result>(
  worlds: Worlds,
  rounds: number,
  work: (world: HistoryWorld, round: number) => Promise<Result>,
): Promise<Pair<readonly Result[]>> => {
  const results = { few: [] as Result[], many: [] as Result[] };
  for (let round = 0; round < rounds; round += 1)
    for (const name of ['few', 'many'] as const) results[name].push(await work(worlds[name], round));
  return results;
};

/** Returns one of the values, by rank: 0 is the smallest, 0.5 the median. */
export const rank = <Value>(values: readonly Value[], of: (value: Value) => number, share = 0): Value => {
  const value = values.toSorted((a, b) => of(a) - of(b))[Math.floor(values.length * share)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
};

export const fromTo = <Value>({ few, many }: Pair<Value>, describe: (value: Value) => string): string =>
  `${describe(few)} → ${describe(many)}`;
