/** Parses a value of a key-value bucket as JSON. */
export const parseJson = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};
