import type { Part } from '../load/cpu-time.js';
import type { LoadPlan } from '../load/load-plan.js';
import { type Measured, Measurement } from '../load/measure.js';

/** A plan that takes turns with other plans. */
export interface Turn {
  readonly plan: LoadPlan;
  readonly parts: readonly Part[];
}

/** The length of a turn in seconds. */
const turnSeconds = 2;

/**
 * Runs plans in short turns until each has run for `seconds`, or until one has used up its requests. A shared
 * machine's speed can change by half within a second, so short turns expose all plans to the same conditions.
 * Returns the results in the order of the plans.
 */
export const inTurns = async (turns: readonly Turn[], seconds: number): Promise<readonly Measured[]> => {
  const measurements = turns.map(({ plan, parts }) => new Measurement(plan, parts));
  try {
    for (const [index, measurement] of measurements.entries())
      await measurement.warmUp(turns[index]?.plan.warmUpSeconds ?? 1);
    for (let left = seconds; ; left -= turnSeconds) {
      const results: Measured[] = [];
      for (const measurement of measurements)
        results.push(await measurement.turn(Math.min(left, turnSeconds)));
      if (left <= turnSeconds || results.some(({ exhausted }) => exhausted)) return results;
    }
  } finally {
    for (const measurement of measurements) measurement.end();
  }
};
