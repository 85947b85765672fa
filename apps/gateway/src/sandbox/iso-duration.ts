const form =
  /^P(?!$)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?!$)(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,10})(?:[.,](\d{1,3}))?S)?)?$/;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** The maximum by which one call may advance the clock, in milliseconds. */
const farthest = 3653 * day;

/**
 * Converts an ISO 8601 duration to milliseconds, counted from `fromMs` because months and years vary in length.
 * Returns undefined if the text is invalid or the duration is longer than ten years.
 */
export const durationMs = (text: unknown, fromMs: number): number | undefined => {
  const match = typeof text === 'string' ? form.exec(text) : null;
  if (match === null) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(1, 8)
    .map((part) => Number(part ?? 0));
  const exact =
    (weeks ?? 0) * 7 * day +
    (days ?? 0) * day +
    (hours ?? 0) * hour +
    (minutes ?? 0) * minute +
    (seconds ?? 0) * second +
    Number((match[8] ?? '').padEnd(3, '0'));
  const total = monthsLater(fromMs, (years ?? 0) * 12 + (months ?? 0)) - fromMs + exact;
  return Number.isSafeInteger(total) && total <= farthest ? total : undefined;
};

/** Returns the same time of day `months` later, in UTC. If that month does not have the day, its last day is used. */
const monthsLater = (fromMs: number, months: number): number => {
  if (months === 0) return fromMs;
  const from = new Date(fromMs);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  return new Date(fromMs).setUTCMonth(from.getUTCMonth() + months, Math.min(from.getUTCDate(), lastDay));
};
