type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An object whose reads are recorded, with those of the objects within. */
const observe = (target: object, reads: Map<object, Set<string>>): object =>
  new Proxy(target, {
    get: (_, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof name === 'symbol') return value;
      reads.set(target, (reads.get(target) ?? new Set()).add(name));
      return isObject(value) ? observe(value, reads) : value;
    },
  });

const listUnread = (value: object, reads: Map<object, Set<string>>, path: string): string[] => {
  const read = reads.get(value);
  // The schema says nothing of what is within.
  if (read === undefined) return [];
  return Object.entries(value as Fields).flatMap(([name, inner]) => {
    const place = `${path}/${name}`;
    if (!read.has(name)) return [`${place} is no field that the schema knows`];
    return isObject(inner) ? listUnread(inner, reads, place) : [];
  });
};

/**
 * The fields of an object that its validator ignores. The validators of custom resources pass over fields that
 * they do not know, so a misspelled one would be taken; a field that was never read is one of those. An object of which
 * nothing was read may hold anything.
 */
export const listUnknownFields = (object: object, validate: (observed: object) => void): string[] => {
  const reads = new Map<object, Set<string>>();
  validate(observe(object, reads));
  return listUnread(object, reads, '');
};
