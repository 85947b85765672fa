import { moveDates } from '@xs2a/domain/time/move-dates';
import { exampleDay } from './examples.js';

/**
 * Copies a part of the document and moves the dates in `example` and `examples` so that they are as far from `today` as the
 * originals were from {@link exampleDay}.
 */
export const withExamplesAt = <Part>(part: Part, today: string): Part => {
  const at = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(at);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === 'example' || name === 'examples' ? moveDates(inner, exampleDay, today) : at(inner),
      ]),
    );
  };
  return at(part) as Part;
};
