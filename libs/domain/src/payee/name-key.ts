const spellings = [
  ['TZ', 'TS'], ['KH', 'H'], ['PH', 'F'], ['CK', 'K'], ['W', 'V'], ['X', 'KS'],
  ['AE', 'A'], ['OE', 'O'], ['UE', 'U'], ['Y', 'I'], ['J', 'I'],
] as const; // prettier-ignore

/**
 * Returns the form in which words are compared: the usual spellings of one sound are the same (`Wassil` and
 * `Vasil`, `Julia` and `Yulia`).
 * @param word in Latin capitals
 */
export const nameKey = (word: string): string =>
  spellings
    .reduce((key, [spelling, same]) => key.replaceAll(spelling, same), word)
    .replace(/(\p{L})\1+/gu, '$1');

/**
 * True if two keys probably differ by a slip: one edit, two if the longer has at least 8 letters. Keys whose longer
 * has fewer than 4 letters are never near.
 */
export const isNear = (a: string, b: string): boolean => {
  const length = Math.max(a.length, b.length);
  if (length < 4) return false;
  const edits = length < 8 ? 1 : 2;
  return Math.abs(a.length - b.length) <= edits && editDistance(a, b) <= edits;
};

/** The Damerau–Levenshtein distance: insertions, deletions, substitutions and transpositions of neighbours. */
export const editDistance = (a: string, b: string): number => {
  const lastRow = new Map<string, number>();
  const far = a.length + b.length;
  // Row and column 0 stand for "not seen yet", row and column 1 for the empty prefix.
  const table = Array.from({ length: a.length + 2 }, (_, row) =>
    Array.from({ length: b.length + 2 }, (__, column) =>
      row === 0 || column === 0 ? far : row === 1 ? column - 1 : column === 1 ? row - 1 : 0,
    ),
  );
  const at = (row: number, column: number): number => table[row]?.[column] ?? far;
  for (let row = 1; row <= a.length; row += 1) {
    let lastColumn = 0;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const seenRow = lastRow.get(b.charAt(column - 1)) ?? 0;
      const transposed = at(seenRow, lastColumn) + (row - seenRow - 1) + 1 + (column - lastColumn - 1);
      const replaced = at(row, column) + (same ? 0 : 1);
      const line = table[row + 1];
      if (line === undefined) throw new RangeError('the table has a row for each letter');
      line[column + 1] = Math.min(replaced, at(row + 1, column) + 1, at(row, column + 1) + 1, transposed);
      if (same) lastColumn = column;
    }
    lastRow.set(a.charAt(row - 1), row);
  }
  return at(a.length + 1, b.length + 1);
};
