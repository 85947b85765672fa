import { addDays } from '@xs2a/domain/time/bank-calendar';
import { exampleDay } from './examples.js';

const isoDate = /\b\d{4}-\d{2}-\d{2}(?!\d)/g;

/**
 * Copies an example and moves every date in it, even within text, so that it is as far from `today` as the
 * original was from {@link exampleDay}.
 */
export const moveDates = (example: unknown, today: string): unknown => {
  const days = (Date.parse(today) - Date.parse(exampleDay)) / 86_400_000;
  const move = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(isoDate, (date) => addDays(date, days));
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, move(inner)]));
  };
  return move(example);
};

/** Copies a part of the document and moves the dates in `example` and `examples` relative to `today`. */
export const withExamplesAt = <Part>(part: Part, today: string): Part => {
  const at = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(at);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === 'example' || name === 'examples' ? moveDates(inner, today) : at(inner),
      ]),
    );
  };
  return at(part) as Part;
};
