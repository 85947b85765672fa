import { addDays } from './bank-calendar.js';

const isoDate = /\b\d{4}-\d{2}-\d{2}(?!\d)/g;

/** Copies an example written for the day `from` and moves every date in it, even within text, as far as `to` is from `from`. */
export const moveDates = (example: unknown, from: string, to: string): unknown => {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  const move = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(isoDate, (date) => addDays(date, days));
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, move(inner)]));
  };
  return move(example);
};
