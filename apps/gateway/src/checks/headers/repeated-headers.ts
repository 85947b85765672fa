/** True if a header was sent more than once. Reads the raw header list, because Node joins or drops repeats. */
export const isRepeated = (rawHeaders: readonly string[], name: string): boolean => {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? '';
    if (raw.length === name.length && raw.toLowerCase() === name) seen += 1;
  }
  return seen > 1;
};
