/** The JSON that a key-value bucket holds under a key. */
export const parseJson = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};
