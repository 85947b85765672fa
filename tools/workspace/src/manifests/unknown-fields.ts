type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An object that records reads of itself and of nested objects. */
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
  // The schema does not describe nested fields.
  if (read === undefined) return [];
  return Object.entries(value as Fields).flatMap(([name, inner]) => {
    const place = `${path}/${name}`;
    if (!read.has(name)) return [`${place} is no field that the schema knows`];
    return isObject(inner) ? listUnread(inner, reads, place) : [];
  });
};

/**
 * The fields of an object that its validator ignores. The validators of custom resources skip fields that
 * they do not know, so a misspelled field would be accepted. A field that was never read is such a field. An object of which
 * nothing was read may contain anything.
 */
export const listUnknownFields = (object: object, validate: (observed: object) => void): string[] => {
  const reads = new Map<object, Set<string>>();
  validate(observe(object, reads));
  return listUnread(object, reads, '');
};
