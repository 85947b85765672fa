import type { Summary } from './load-plan.js';

/** Returns the smallest value in `sorted` such that at least the given `share` of the values do not exceed it. */
export const percentile = (sorted: readonly number[] | Float64Array, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;

/** Summarises `latencies`, in milliseconds, measured over `seconds`. */
export const summarise = (latencies: readonly number[], seconds: number): Summary => {
  const sorted = Float64Array.from(latencies).sort();
  return {
    answered: sorted.length,
    perSecond: seconds === 0 ? 0 : sorted.length / seconds,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    p999: percentile(sorted, 0.999),
    longest: sorted.at(-1) ?? 0,
  };
};
