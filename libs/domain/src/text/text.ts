/** Control, format (which holds the bidi marks), lone surrogate, line and paragraph separator, noncharacter. */
const unclean = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/** A character that leaves ink by itself: no space, no mark that needs a letter, no filler, no blank Braille pattern. */
const visible = /[^\s\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Length in Unicode code points: what MaxNNText and JSON Schema count. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** True when a text has nothing that could hide or reorder what the PSU reads (contract 3). */
export const isCleanText = (text: string): boolean => !unclean.test(text);

/** True for a clean string in which something can be seen, of 1 to `max` code points (Max35Text and so on, spec 2.4). */
export function isMaxText(value: string, max: number): boolean;
export function isMaxText(value: unknown, max: number): value is string;
export function isMaxText(value: unknown, max: number): boolean {
  return (
    typeof value === 'string' && visible.test(value) && codePointLength(value) <= max && isCleanText(value)
  );
}
