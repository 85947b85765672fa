/** Parses the JSON value of a key in a key-value bucket. */
export const parseJson = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};
