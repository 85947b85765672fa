import type { Part } from '../load/cpu-time.js';
import type { LoadPlan } from '../load/load-plan.js';
import { type Measured, Measurement, type OpenLoop } from '../load/measure.js';

/** A plan that takes turns with other plans. */
export interface Turn {
  readonly plan: LoadPlan;
  readonly parts: readonly Part[];
  /** The shares of the rate measured in the turns at which latencies are measured after them. */
  readonly openLoop?: readonly number[];
}

/** The length of a turn in seconds. */
const turnSeconds = 2;

/**
 * Runs plans in short turns until each has run for `seconds`, or until one has used up its requests. A shared
 * machine's speed can change by half within a second, so short turns expose all plans to the same conditions.
 * After the turns, latencies are measured at given rates. Returns the results in the order of the plans.
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
      if (left <= turnSeconds || results.some(({ exhausted }) => exhausted))
        return await inOpenLoop(turns, measurements, results, seconds);
    }
  } finally {
    for (const measurement of measurements) measurement.end();
  }
};

/** Adds the latencies at the rates that the turns ask for. */
const inOpenLoop = async (
  turns: readonly Turn[],
  measurements: readonly Measurement[],
  results: readonly Measured[],
  seconds: number,
): Promise<readonly Measured[]> => {
  const completed: Measured[] = [];
  for (const [index, result] of results.entries()) {
    const openLoop: OpenLoop[] = [];
    for (const share of turns[index]?.openLoop ?? []) {
      const measured = await measurements[index]?.openLoop(share, result.perSecond, seconds);
      if (measured !== undefined) openLoop.push(measured);
    }
    completed.push({ ...result, openLoop });
  }
  return completed;
};
