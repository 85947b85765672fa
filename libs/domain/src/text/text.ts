/**
 * Control, format (including bidi marks), lone surrogate, line and paragraph separator, and noncharacter code
 * points.
 */
const unclean = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/** A character that is visible on its own: not a space, combining mark, filler or blank Braille pattern. */
const visible = /[^\s\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Length in Unicode code points, as counted in MaxNNText and JSON Schema. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** True if a text contains nothing that could hide or reorder what the PSU reads (contract 3). */
export const isCleanText = (text: string): boolean => !unclean.test(text);

/**
 * True for a clean string of 1 to `max` code points with at least one visible character (Max35Text and so on, spec
 * 2.4).
 */
export function isMaxText(value: string, max: number): boolean;
export function isMaxText(value: unknown, max: number): value is string;
export function isMaxText(value: unknown, max: number): boolean {
  return (
    typeof value === 'string' && visible.test(value) && codePointLength(value) <= max && isCleanText(value)
  );
}
